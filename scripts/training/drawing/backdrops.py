"""Drawn surroundings: landscapes, rooms, studio walls, foliage, and defocused backgrounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.ndimage import gaussian_filter

from drawing.dead_leaves import LeafPainter
from drawing.palette import Palette
from drawing.places import Places
from drawing.shapes import raster
from drawing.surface import Surfaces

Rng = np.random.Generator


class Backdrops:
    """Draws backgrounds, uint8 [size,size,3]."""

    def __init__(self, rng: Rng, textures: np.ndarray, size: int) -> None:
        self._rng = rng
        self._surfaces = Surfaces(rng, textures)
        self._leaves = LeafPainter(rng, textures)
        self._places = Places(rng, self._surfaces, size)
        self._size = size

    def draw(self) -> np.ndarray:
        """One backdrop of a random kind, in focus or out of focus."""
        rng = self._rng
        kinds: list[Callable[[], np.ndarray]] = [
            self._landscape,
            self._room,
            self._texture,
            self._foliage,
            self._studio,
            self._places.street,
            self._places.wood,
            self._places.meadow,
        ]
        kind = kinds[rng.choice(len(kinds), p=[0.18, 0.15, 0.14, 0.17, 0.08, 0.1, 0.08, 0.1])]
        scene = kind()
        if rng.random() < 0.5:
            sigma = float(np.exp(rng.uniform(-0.7, 2.2)))
            scene = gaussian_filter(scene, (sigma, sigma, 0))
        return (np.clip(scene, 0, 1) * 255 + 0.5).astype(np.uint8)

    def _landscape(self) -> np.ndarray:
        rng, size = self._rng, self._size
        palette = Palette(rng)
        sky = np.array([0.55, 0.7, 0.9]) * rng.uniform(0.3, 1.1) if rng.random() < 0.6 else palette.color()
        scene = np.empty((size, size, 3), np.float32)
        fade = np.linspace(rng.uniform(0.6, 1), 1, size)[:, None, None]
        scene[:] = sky * fade + 0.15 * rng.random() * self._surfaces.crop(size, size)[..., None]
        level = rng.uniform(0.15, 0.8) * size
        for depth in range(rng.integers(1, 4)):  # ridges, tree lines, then the ground
            x = np.linspace(0, size, 40)
            rough = rng.uniform(0, 0.06) * size
            y = (
                level
                + depth * size * 0.08
                + np.cumsum(rng.normal(0, rough / 4, 40))
                + rng.normal(0, rough / 3, 40)
            )
            self._fill(scene, np.concatenate([np.stack([x, y], 1), [[size, size], [0, size]]]), Palette(rng))
        return scene

    def _room(self) -> np.ndarray:
        rng, size = self._rng, self._size
        palette = Palette(rng)
        scene = self._surfaces.fill(palette, size, size)
        if rng.random() < 0.6:
            y = rng.uniform(0.55, 0.95) * size
            self._fill(
                scene,
                np.array([[0, y], [size, y + rng.normal(0, 0.05) * size], [size, size], [0, size]]),
                palette,
            )
        for _ in range(rng.integers(0, 6)):  # windows, pictures, furniture, flags, mostly at the border
            at = rng.uniform(0, size, 2)
            at[0] = rng.choice([at[0], rng.normal(0, 0.1) * size, size * (1 + rng.normal(0, 0.1))])
            half = rng.uniform(0.05, 0.3, 2) * size
            box = at + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
            self._fill(scene, box, palette if rng.random() < 0.6 else Palette(rng))
        return scene

    def _texture(self) -> np.ndarray:
        rng, size = self._rng, self._size
        scene = self._surfaces.fill(Palette(rng), size, size)
        light = np.linspace(rng.uniform(0.5, 1), rng.uniform(0.5, 1), size)[:, None, None]
        return scene * light * (1 + 0.3 * rng.random() * self._surfaces.crop(size, size)[..., None])

    def _foliage(self) -> np.ndarray:
        return self._leaves.scene(self._size).astype(np.float32) / 255

    def _studio(self) -> np.ndarray:
        rng, size = self._rng, self._size
        y, x = np.mgrid[0:size, 0:size] / size
        cy, cx = rng.uniform(0, 1, 2)
        glow = np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / rng.uniform(0.1, 1.5))[..., None]
        palette = Palette(rng)
        dark, bright = palette.color() * rng.uniform(0.3, 1), palette.color()
        return (dark + (bright - dark) * glow).astype(np.float32)

    def _fill(self, scene: np.ndarray, points: np.ndarray, palette: Palette) -> None:
        patch = raster(points, self._size)
        if patch is None:
            return
        height, width = patch.mask.shape
        region = scene[patch.top : patch.top + height, patch.left : patch.left + width]
        np.copyto(region, self._surfaces.fill(palette, height, width), where=patch.mask[..., None])
