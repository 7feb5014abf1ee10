"""Outdoor surroundings with objects: streets, woods, meadows, water."""

from __future__ import annotations

import numpy as np

from drawing.palette import Palette
from drawing.shapes import Stamp, raster
from drawing.surface import Surfaces

Rng = np.random.Generator


class Places:
    """Draws float32 [size,size,3] scenes, 0..1."""

    def __init__(self, rng: Rng, surfaces: Surfaces, size: int) -> None:
        self._rng = rng
        self._surfaces = surfaces
        self._size = size

    def street(self) -> np.ndarray:
        """House fronts with panes, and a road."""
        rng, size = self._rng, self._size
        scene = self._sky()
        x, road = -rng.uniform(0, 0.2) * size, rng.uniform(0.55, 1.0) * size
        while x < size:
            wide, top = rng.uniform(0.12, 0.6) * size, rng.uniform(-0.3, 0.5) * size
            front = Palette(rng)
            self.fill(scene, _box(x, top, x + wide, road), front)
            pane = front.color() * rng.choice([0.4, 1.3])
            step_x, step_y = rng.uniform(0.05, 0.15, 2) * size
            for left in np.arange(x + step_x * 0.4, x + wide - step_x * 0.6, step_x):
                for upper in np.arange(max(top, -step_y) + step_y * 0.4, road - step_y * 0.6, step_y):
                    self.flat(scene, _box(left, upper, left + step_x * 0.5, upper + step_y * 0.55), pane)
            x += wide
        self.fill(scene, _box(0, road, size, size), Palette(rng))
        return scene

    def wood(self) -> np.ndarray:
        """Trunks and branches in front of foliage."""
        rng, size = self._rng, self._size
        scene = self._surfaces.fill(Palette(rng), size, size)
        bark = Palette(rng)
        for _ in range(rng.integers(3, 16)):
            x, wide = rng.uniform(0, size), size * rng.uniform(0.005, 0.07)
            lean = rng.normal(0, 0.15) * size
            self.fill(
                scene, np.array([[x, -1], [x + wide, -1], [x + wide + lean, size], [x + lean, size]]), bark
            )
        return scene

    def meadow(self) -> np.ndarray:
        """Ground up to a horizon, with stones and tufts; or water with bands of waves."""
        rng, size = self._rng, self._size
        scene, ground = self._sky(), Palette(rng)
        horizon = rng.uniform(-0.1, 0.7) * size
        self.fill(scene, _box(0, horizon, size, size), ground)
        for _ in range(rng.integers(0, 40)):
            y = horizon + rng.random() ** 1.5 * (size - horizon)
            reach = (0.01 + 0.08 * max(0.0, (y - horizon) / size)) * size * rng.uniform(0.3, 2)
            t = np.linspace(0, 2 * np.pi, 9)
            spot = np.stack([np.cos(t) * reach * rng.uniform(1, 3), np.sin(t) * reach * 0.5], 1)
            self.fill(scene, [rng.uniform(0, size), y] + spot, ground)
        return scene

    def _sky(self) -> np.ndarray:
        rng, size = self._rng, self._size
        blue = np.array([0.55, 0.7, 0.9]) * rng.uniform(0.3, 1.15)
        color = rng.choice([blue, np.full(3, rng.uniform(0.6, 1)), Palette(rng).color()])
        fade = np.linspace(rng.uniform(0.6, 1), 1, size)[:, None, None]
        cloud = self._surfaces.crop(size, size)[..., None] * 0.2 * rng.random()
        return np.clip(color * fade + cloud, 0, 1).astype(np.float32)

    def fill(self, scene: np.ndarray, points: np.ndarray, palette: Palette) -> None:
        """Apply a fill of the palette inside an outline in pixels."""
        patch = raster(points, self._size)
        if patch is not None:
            fill = self._surfaces.fill(palette, *patch.mask.shape)
            np.copyto(_under(scene, patch), fill, where=patch.mask[..., None])

    def flat(self, scene: np.ndarray, points: np.ndarray, color: np.ndarray) -> None:
        """Apply one color inside an outline in pixels."""
        patch = raster(points, self._size)
        if patch is not None:
            np.copyto(
                _under(scene, patch), np.clip(color, 0, 1).astype(np.float32), where=patch.mask[..., None]
            )


def _under(scene: np.ndarray, patch: Stamp) -> np.ndarray:
    height, width = patch.mask.shape
    return scene[patch.top : patch.top + height, patch.left : patch.left + width]


def _box(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
