"""Converts the light of a scene to a photograph: exposure, balance, curve, noise, sharpening. NumPy only."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

Rng = np.random.Generator
GRAY = 0.18


def developed(rng: Rng, light: np.ndarray, subject: np.ndarray) -> np.ndarray:
    """uint8 [H,W,3] from linear light [H,W,3], exposed mostly for `subject` (0..1 [H,W])."""
    light = np.nan_to_num(np.maximum(light, 0), posinf=100.0)
    weight = 0.4 + subject
    luma = light @ np.array([0.2126, 0.7152, 0.0722])
    mean = np.exp((np.log(luma + 1e-4) * weight).sum() / weight.sum())
    light = light * (GRAY / mean * np.exp(rng.normal(0.15, 0.35)))
    light = light / _cast(rng, light)
    y, x = np.mgrid[-1 : 1 : light.shape[0] * 1j, -1 : 1 : light.shape[1] * 1j]
    light = light * (1 - rng.uniform(0, 0.25) * (x**2 + y**2) / 2)[..., None]
    light = light + rng.uniform(0, 0.02) * (rng.random() < 0.4)  # stray light
    grain = rng.uniform(0, 0.02)
    light = np.maximum(light + rng.normal(0, 1, light.shape) * grain * np.sqrt(light + 0.01), 0)
    shot = _curve(rng, light)
    gray = shot.mean(2, keepdims=True)
    shot = gray + (shot - gray) * (0.0 if rng.random() < 0.04 else rng.uniform(0.75, 1.35))
    if rng.random() < 0.5:
        soft = gaussian_filter(shot, (0.8, 0.8, 0))
        shot = shot + rng.uniform(-0.5, 0.8) * (shot - soft)
    return (np.clip(shot, 0, 1) * 255 + 0.5).astype(np.uint8)


def _cast(rng: Rng, light: np.ndarray) -> np.ndarray:
    """Removes most of the color cast, like cameras."""
    mean = light.reshape(-1, 3).mean(0) + 1e-4
    cast = (mean / mean.mean()) ** rng.uniform(0.3, 0.8)
    return cast * np.exp(rng.normal(0, 0.05, 3))


def _curve(rng: Rng, light: np.ndarray) -> np.ndarray:
    """A film-like curve (Hable 2010), then contrast around the middle."""
    a, b, c, d, e, f = 0.22, 0.30, 0.10, 0.20, 0.01, 0.30

    def shoulder(x: np.ndarray | float) -> np.ndarray | float:
        return (x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f) - e / f

    white = rng.uniform(3, 11)
    shot = np.clip(shoulder(light * 2.2) / shoulder(white), 0, 1) ** (1 / 2.2)
    contrast = rng.uniform(0, 0.7)
    return shot + contrast * (shot * shot * (3 - 2 * shot) - shot)
