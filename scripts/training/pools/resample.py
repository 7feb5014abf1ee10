"""MATLAB's imresize(…, 'bicubic'), which defines low resolution in super-resolution papers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

CUBIC_A = -0.5
"""Keys 1981, the value MATLAB uses."""


def keys_cubic(x: np.ndarray, a: float = CUBIC_A) -> np.ndarray:
    """Keys' cubic convolution kernel, support 2."""
    t = np.abs(x)
    near = (a + 2) * t**3 - (a + 3) * t**2 + 1
    far = a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a
    return np.where(t <= 1, near, np.where(t < 2, far, 0.0))


@lru_cache(maxsize=64)
def bicubic_matrix(source: int, target: int) -> np.ndarray:
    """float32 [target, source]: half-pixel centers, a kernel that is widened for downscaling, mirrored
    borders.
    """
    scale = target / source
    width = 4.0 / min(scale, 1.0)
    centers = (np.arange(target) + 0.5) / scale - 0.5
    taps = np.floor(centers - width / 2)[:, None] + np.arange(int(np.ceil(width)) + 2)[None, :]
    weights = keys_cubic((centers[:, None] - taps) * min(scale, 1.0))
    weights /= weights.sum(axis=1, keepdims=True)
    mirrored = np.mod(taps.astype(int), 2 * source)
    mirrored = np.where(mirrored >= source, 2 * source - 1 - mirrored, mirrored)
    matrix = np.zeros((target, source), np.float32)
    np.add.at(matrix, (np.arange(target)[:, None], mirrored), weights)
    return matrix


def bicubic(image: np.ndarray, height: int, width: int) -> np.ndarray:
    """Resize float [H,W,C] to [height,width,C] without clipping."""
    rows = np.tensordot(bicubic_matrix(image.shape[0], height), image, axes=(1, 0))
    return np.tensordot(bicubic_matrix(image.shape[1], width), rows, axes=(1, 1)).transpose(1, 0, 2)
