"""Scores: PSNR, F-measure, IoU."""

from __future__ import annotations

import numpy as np

BETA_SQUARE = 0.3
"""Precision counts more: the convention of salient-object detection (Achanta et al. 2009)."""


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    """PSNR in dB, for values 0..255."""
    error = np.mean((a.astype(np.float64) - b.astype(np.float64)) ** 2)
    return float(10 * np.log10(255**2 / max(error, 1e-9)))


def luma_psnr(a: np.ndarray, b: np.ndarray, shave: int) -> float:
    """PSNR of BT.601 studio luma as super-resolution papers compute it, without `shave` pixels on each side.
    """
    weights = np.array([65.481, 128.553, 24.966]) / 255
    inner = np.s_[shave:-shave, shave:-shave]
    return psnr(a[inner] @ weights + 16, b[inner] @ weights + 16)


def best_f(mattes: list[np.ndarray], truths: list[np.ndarray]) -> float:
    """The largest F-measure over all thresholds, from precision and recall averaged over the pictures."""
    curves = []
    for threshold in np.linspace(0, 0.99, 34):
        rates = [_precision_recall(m > threshold, t) for m, t in zip(mattes, truths, strict=True)]
        precision, recall = np.mean(rates, 0)
        curves.append((1 + BETA_SQUARE) * precision * recall / max(BETA_SQUARE * precision + recall, 1e-9))
    return float(max(curves))


def _precision_recall(found: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    both = float((found & truth).sum())
    return both / max(float(found.sum()), 1.0), both / max(float(truth.sum()), 1.0)


def iou(found: np.ndarray, truth: np.ndarray) -> float:
    """Intersection over union; 1 when both are empty."""
    either = (found | truth).sum()
    return float((found & truth).sum() / either) if either else 1.0
