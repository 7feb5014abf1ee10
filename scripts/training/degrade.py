"""High resolution to low: MATLAB's bicubic, sometimes with a mild real-life defect."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

from resample import bicubic

Rng = np.random.Generator
CLEAN_SHARE = 0.62
"""The rest gets blur, noise or JPEG: a net that saw only clean bicubic rings on real files."""


def shrink(rng: Rng, image: np.ndarray, factor: int) -> np.ndarray:
    """uint8 [H,W,3] to uint8 [H/factor,W/factor,3]."""
    clean = rng.random() < CLEAN_SHARE
    high = image.astype(np.float32)
    if not clean and rng.random() < 0.4:
        sigma = float(rng.uniform(0.2, 0.45) * factor)
        high = gaussian_filter(high, (sigma, sigma, 0))
    low = bicubic(high, image.shape[0] // factor, image.shape[1] // factor)
    if not clean and rng.random() < 0.4:
        sigma = rng.uniform(0.5, 5) if rng.random() < 0.75 else rng.uniform(5, 20)
        low = low + rng.normal(0, sigma, low.shape[:2] + (rng.choice([1, 3]),))
    small = np.clip(low + 0.5, 0, 255).astype(np.uint8)
    if not clean and rng.random() < 0.6:
        small = jpeg(small, int(rng.integers(60, 97)))
    return small


def jpeg(image: np.ndarray, quality: int) -> np.ndarray:
    """One round of JPEG."""
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "JPEG", quality=quality)
    return np.asarray(Image.open(buffer))
