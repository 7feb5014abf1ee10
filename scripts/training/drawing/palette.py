"""Matching colors: a drawn image takes its colors from one palette."""

from __future__ import annotations

import colorsys

import numpy as np

Rng = np.random.Generator


class Palette:
    """A few related hues, mostly muted, with varying lightness."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._hues = (rng.random() + rng.normal(0, rng.choice([0.03, 0.12, 0.4]), 6)) % 1
        self._saturation = rng.beta(1.2, 2.5)
        self._low, self._high = sorted(rng.beta([0.8, 3.0], [3.0, 0.8]))

    def color(self) -> np.ndarray:
        """float32 [3], 0..1."""
        rng = self._rng
        hue = float(rng.choice(self._hues))
        saturation = float(np.clip(self._saturation * rng.uniform(0.2, 1.9), 0, 1))
        value = float(self._low + (self._high - self._low) * rng.random())
        if rng.random() < 0.08:
            saturation, value = float(rng.random()), float(rng.random())
        return np.array(colorsys.hsv_to_rgb(hue, saturation, value), np.float32)
