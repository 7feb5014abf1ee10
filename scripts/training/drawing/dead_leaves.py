"""Dead-leaves scenes: opaque shapes that occlude each other, with sizes from a power law.

They have the edges, occlusions, and scale invariance of photographs without being photographs (Lee, Mumford,
Huang 2001). Networks trained on them can restore photographs (Achddou, Gousseau, Ladjal 2021). This version
adds textures, shading, line art, text-like strokes, and defocus between layers.
"""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw
from scipy.ndimage import gaussian_filter

from drawing.palette import Palette
from drawing.shapes import OUTLINES, Stamp, stamp
from drawing.surface import Surfaces

Rng = np.random.Generator
SUPERSAMPLING = 2


class LeafPainter:
    """Draws scenes of leaves."""

    def __init__(self, rng: Rng, textures: np.ndarray) -> None:
        self._rng = rng
        self._surfaces = Surfaces(rng, textures)

    def scene(self, size: int) -> np.ndarray:
        """uint8 [size,size,3]."""
        rng, side = self._rng, size * SUPERSAMPLING
        palette = Palette(rng)
        canvas = np.empty((side, side, 3), np.float32)
        self._paint(canvas, Stamp(np.ones((side, side), bool), 0, 0), palette)
        layers = rng.integers(1, 4)
        for layer in range(layers):
            if layer and rng.random() < 0.5:
                sigma = float(np.exp(rng.uniform(-0.5, 2.0)))
                canvas = gaussian_filter(canvas, (sigma, sigma, 0))
            self._leaves(canvas, palette, int(rng.integers(25, 220) / layers))
            if rng.random() < 0.3:
                canvas = self._strokes(canvas, palette)
        sigma = float(rng.choice([0.0, 0.5, 0.8, 1.2], p=[0.3, 0.3, 0.25, 0.15]))
        if sigma:
            canvas = gaussian_filter(canvas, (sigma, sigma, 0))
        small = canvas.reshape(size, SUPERSAMPLING, size, SUPERSAMPLING, 3).mean((1, 3))
        return np.clip(small * 255 + 0.5, 0, 255).astype(np.uint8)

    def _leaves(self, canvas: np.ndarray, palette: Palette, count: int) -> None:
        rng, side = self._rng, canvas.shape[0]
        low, high = 2.0 * SUPERSAMPLING, side * rng.uniform(0.15, 0.5)
        u = rng.random(count)
        radii = 1 / np.sqrt((1 - u) / low**2 + u / high**2)  # density r^-3
        families = rng.choice(len(OUTLINES), rng.integers(1, 5))
        for radius in np.where(rng.random(count) < 0.35, rng.uniform(low, high, count), radii):
            outline = OUTLINES[rng.choice(families)](rng)
            leaf = stamp(rng, outline, rng.uniform(0, side, 2), float(radius), side)
            if leaf is not None:
                self._paint(canvas, leaf, palette)

    def _paint(self, canvas: np.ndarray, leaf: Stamp, palette: Palette) -> None:
        height, width = leaf.mask.shape
        fill = self._surfaces.fill(palette, height, width)
        region = canvas[leaf.top : leaf.top + height, leaf.left : leaf.left + width]
        np.copyto(region, fill, where=leaf.mask[..., None])

    def _strokes(self, canvas: np.ndarray, palette: Palette) -> np.ndarray:
        """Line art, hatching or rows of letter-like strokes."""
        rng, side = self._rng, canvas.shape[0]
        image = Image.fromarray((np.clip(canvas, 0, 1) * 255).astype(np.uint8))
        pen = ImageDraw.Draw(image)
        ink = tuple(int(v * 255) for v in palette.color() * rng.choice([0.15, 1.0]))
        if rng.random() < 0.5:
            self._text(pen, ink, side)
        else:
            for _ in range(rng.integers(3, 25)):
                points = rng.uniform(0, side, 2) + np.cumsum(rng.normal(0, side / 12, (6, 2)), 0)
                pen.line([tuple(p) for p in points.tolist()], ink, int(rng.integers(1, 8)))
        return np.asarray(image).astype(np.float32) / 255

    def _text(self, pen: ImageDraw.ImageDraw, ink: tuple[int, ...], side: int) -> None:
        rng = self._rng
        em = rng.uniform(10, 48)
        x0, y = rng.uniform(0, side / 2, 2)
        for _ in range(rng.integers(1, 6)):
            x = x0
            while x < min(side, x0 + side * 0.6):
                corners = np.array([x, y]) + rng.integers(0, 3, (rng.integers(2, 5), 2)) / 2 * [em * 0.55, em]
                pen.line([tuple(p) for p in corners.tolist()], ink, max(1, int(em * rng.uniform(0.08, 0.2))))
                if rng.random() < 0.3:
                    pen.arc((x, y, x + em * 0.6, y + em), 0, 360, ink, max(1, int(em * 0.12)))
                x += em * rng.choice([0.75, 0.75, 1.4])
            y += em * 1.5
