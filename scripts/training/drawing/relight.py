"""Effects of light and surroundings on a subject: highlights, shadows, reflected colors, and occluders.

A network that sees only evenly lit subjects leaves holes where the subject of a photograph is pale, dark, or
similar in color to its surroundings.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

from drawing.textures import power_noise

Rng = np.random.Generator


def relit(rng: Rng, color: np.ndarray, alpha: np.ndarray, behind: np.ndarray) -> np.ndarray:
    """Subject color [S,S,3] in front of `behind` [S,S,3]. alpha [S,S]: position of the subject."""
    if not alpha.any():
        return color
    if rng.random() < 0.15:  # completely pale or dark
        color = color * 0.35 + rng.choice([0.03, 0.62])
    if rng.random() < 0.15:  # with the mean color of the surroundings
        mean = (color * alpha[..., None]).sum((0, 1)) / alpha.sum()
        color = color + rng.uniform(0.3, 0.9) * (behind.mean((0, 1)) - mean)
    if rng.random() < 0.45:
        color = color * (1 - rng.uniform(0.2, 0.75) * _region(rng, len(alpha))[..., None])
    if rng.random() < 0.3:  # a part that looks like the surroundings
        shift = tuple(rng.integers(0, len(alpha), 2))
        spot = _spot(rng, alpha, 0.05, 0.2)[..., None] * rng.uniform(0.6, 1)
        color = color + spot * (np.roll(behind, shift, (0, 1)) - color)
    for _ in range(rng.integers(0, 4) if rng.random() < 0.4 else 0):
        shine = _spot(rng, alpha, 0.02, 0.12)[..., None] * rng.uniform(0.4, 1)
        color = color + shine * (rng.uniform(0.85, 1.1) - color)
    return np.clip(color, 0, 1)


def occluder(rng: Rng, alpha: np.ndarray) -> np.ndarray:
    """Mask [S,S] of bars or a spot in front of the subject."""
    size = len(alpha)
    if rng.random() < 0.4:
        return _spot(rng, alpha, 0.03, 0.15)
    y, x = np.mgrid[0:size, 0:size] / size
    angle = rng.choice([0, np.pi / 2, rng.uniform(0, np.pi)])
    across = x * np.cos(angle) + y * np.sin(angle) + 0.02 * power_noise(rng, size, 1.8)
    bars = np.zeros((size, size), bool)
    for at in rng.uniform(0, 1, rng.integers(1, 5)):
        bars |= np.abs(across - at) < rng.uniform(0.004, 0.03)
    return bars.astype(np.float32)


def _region(rng: Rng, size: int) -> np.ndarray:
    """Shadow [S,S], 0..1: on one side, or in blotches, with hard or soft edges."""
    noise = power_noise(rng, size, rng.uniform(1.4, 2.2))
    if rng.random() < 0.5:
        angle = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[0:size, 0:size] / size - 0.5
        noise = noise * 0.3 + 4 * (x * np.cos(angle) + y * np.sin(angle) + rng.normal(0, 0.12))
    return 1 / (1 + np.exp(-np.clip(noise * rng.uniform(3, 40), -30, 30)))


def _spot(rng: Rng, alpha: np.ndarray, least: float, most: float) -> np.ndarray:
    """An ellipse [S,S] somewhere on the subject, with radii as fractions of the frame."""
    size = len(alpha)
    inside = np.argwhere(alpha > 0.5)
    cy, cx = inside[rng.integers(len(inside))] if len(inside) else (size / 2, size / 2)
    ry, rx = np.exp(rng.uniform(np.log(least), np.log(most), 2)) * size
    y, x = np.mgrid[0:size, 0:size]
    reach = ((y - cy) / ry) ** 2 + ((x - cx) / rx) ** 2 + 0.3 * power_noise(rng, size, 1.8)
    spot = (reach < 1).astype(np.float32)
    return gaussian_filter(spot, float(rng.uniform(0.3, 4))) if rng.random() < 0.7 else spot
