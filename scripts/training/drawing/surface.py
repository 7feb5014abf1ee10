"""Fills for drawn shapes: color, ramp, and texture."""

from __future__ import annotations

import numpy as np

from drawing.palette import Palette

Rng = np.random.Generator


class Surfaces:
    """Draws fills. Textures are cropped from a bank that is drawn once."""

    def __init__(self, rng: Rng, textures: np.ndarray) -> None:
        self._rng = rng
        self._textures = textures

    def fill(self, palette: Palette, height: int, width: int) -> np.ndarray:
        """float32 [height,width,3], 0..1."""
        rng = self._rng
        fill = np.broadcast_to(palette.color(), (height, width, 3))
        if rng.random() < 0.5:  # shading: a ramp to a second color
            ramp = np.linspace(0, 1, height)[:, None] * rng.normal() + np.linspace(0, 1, width) * rng.normal()
            ramp = np.clip(ramp - ramp.min(), 0, 1)[..., None].astype(np.float32)
            fill = fill + ramp * (palette.color() - fill) * rng.uniform(0.2, 1)
        if rng.random() < 0.6:
            texture = self.crop(height, width)[..., None]
            if rng.random() < 0.5:
                fill = fill * (1 + texture * rng.uniform(0.05, 0.7))
            else:
                fill = fill + texture * (palette.color() - fill) * rng.uniform(0.1, 0.9)
        return np.clip(fill, 0, 1).astype(np.float32)

    def crop(self, height: int, width: int) -> np.ndarray:
        """A random crop of a random texture, float32 [height,width], -1..1."""
        texture = self._textures[self._rng.integers(len(self._textures))]
        side = texture.shape[0]
        top, left = self._rng.integers(side, size=2)
        rows = np.arange(top, top + height) % side
        return texture[rows[:, None], (np.arange(left, left + width) % side)[None, :]]
