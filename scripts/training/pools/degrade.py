"""High resolution to low: MATLAB's bicubic, sometimes with a mild realistic defect."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

from pools.resample import bicubic

Rng = np.random.Generator


def shrink(rng: Rng, image: np.ndarray, factor: int, *, clean: bool) -> np.ndarray:
    """uint8 [H,W,3] to uint8 [H/factor,W/factor,3]. Pictures that are not clean get blur, noise, or JPEG
    artifacts.
    """
    high = image.astype(np.float32)
    if not clean and rng.random() < 0.15:
        sigma = float(rng.uniform(0.2, 0.4) * factor)
        high = gaussian_filter(high, (sigma, sigma, 0))
    low = bicubic(high, image.shape[0] // factor, image.shape[1] // factor)
    if not clean and rng.random() < 0.4:
        sigma = rng.uniform(0.5, 4) if rng.random() < 0.75 else rng.uniform(4, 14)
        low = low + rng.normal(0, sigma, low.shape[:2] + (rng.choice([1, 3]),))
    small = np.clip(low + 0.5, 0, 255).astype(np.uint8)
    if not clean and rng.random() < 0.7:
        small = jpeg(small, int(rng.integers(60, 97)))
    return small


def jagged(rng: Rng, image: np.ndarray, factor: int) -> tuple[np.ndarray, np.ndarray]:
    """A small and a large picture, uint8, of a scene in a few flat colors. The small one has no soft pixels.
    """
    sigma = float(rng.uniform(0.8, 3))
    soft = gaussian_filter(image.astype(np.float32), (sigma, sigma, 0))
    fine = bicubic(soft, 2 * image.shape[0], 2 * image.shape[1])
    palette = image.reshape(-1, 3)[rng.integers(len(image) ** 2, size=rng.integers(3, 9))].astype(np.float32)
    nearest = ((fine[:, :, None] - palette) ** 2).sum(3).argmin(2)
    flat = (palette if rng.random() < 0.5 else rng.integers(0, 256, palette.shape))[nearest]
    high = flat.reshape(image.shape[0], 2, image.shape[1], 2, 3).mean((1, 3))
    low = flat[factor :: 2 * factor, factor :: 2 * factor]
    return low.astype(np.uint8), np.round(high).astype(np.uint8)


def jpeg(image: np.ndarray, quality: int) -> np.ndarray:
    """One JPEG compression."""
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "JPEG", quality=quality)
    return np.asarray(Image.open(buffer))
