"""Pictures without a subject: plain walls, textures, noise, and pages of text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

from drawing.pages import Pages
from drawing.palette import Palette
from drawing.textures import FAMILIES, power_noise

Rng = np.random.Generator


class Blanks:
    """Draws float32 [size,size,3] pictures, 0..1."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def draw(self, size: int) -> np.ndarray:
        """A wall, a texture, noise, or text, lit evenly or unevenly."""
        rng = self._rng
        kinds: list[Callable[[int], np.ndarray]] = [
            self._plain,
            self._texture,
            self._noise,
            self._tiles,
            Pages(rng).draw,
        ]
        scene = kinds[rng.choice(len(kinds), p=[0.18, 0.24, 0.11, 0.07, 0.4])](size)
        if rng.random() < 0.6:
            scene = scene * self._light(size)[..., None]
        if rng.random() < 0.2:
            scene = gaussian_filter(scene, (*(float(rng.uniform(0.5, 6)),) * 2, 0))
        return np.clip(scene, 0, 1).astype(np.float32)

    def _plain(self, size: int) -> np.ndarray:
        """One color, including pure black and white, optionally with plaster."""
        rng = self._rng
        color = Palette(rng).color()
        if rng.random() < 0.25:
            color = np.full(3, rng.choice([0.0, 1.0, rng.random()]))
        wall = np.broadcast_to(color, (size, size, 3)).astype(np.float32)
        if rng.random() < 0.5:
            wall = wall * (
                1 + rng.uniform(0.01, 0.15) * power_noise(rng, size, rng.uniform(0.1, 2))[..., None]
            )
        return wall

    def _texture(self, size: int) -> np.ndarray:
        """Two or three colors, blended by a texture of any scale that fills the picture evenly."""
        rng, palette = self._rng, Palette(self._rng)
        field = FAMILIES[rng.integers(len(FAMILIES))](rng, size * 2)
        side = int(size * np.exp(rng.uniform(np.log(0.5), np.log(2))))
        cut = Image.fromarray(field[:side, :side].astype(np.float32)).resize(
            (size, size), Image.Resampling.BOX
        )
        share = (np.asarray(cut)[..., None] + 1) / 2
        first, second = palette.color(), palette.color() if rng.random() < 0.7 else rng.random(3)
        return first + (second - first) * share * rng.uniform(0.2, 1)

    def _noise(self, size: int) -> np.ndarray:
        """White to 1/f² noise, gray or colored, normal or uniform, coarse or fine."""
        rng = self._rng
        if rng.random() < 0.5:
            grain = rng.integers(1, 5)
            cells = rng.random((size // grain + 1, size // grain + 1, rng.choice([1, 3])))
            return np.repeat(np.kron(cells, np.ones((grain, grain, 1)))[:size, :size], 3, 2)[..., :3]
        slope, middle = rng.uniform(0, 1.6), rng.uniform(0.2, 0.8)
        planes = [power_noise(rng, size, slope) for _ in range(3)]
        gray = rng.random() < 0.4
        return np.stack([middle + rng.uniform(0.1, 0.5) * planes[0 if gray else k] for k in range(3)], 2)

    def _tiles(self, size: int) -> np.ndarray:
        """Planks, panels, tiles: a grid of lines on a wall, with slightly different tones."""
        rng, color = self._rng, Palette(self._rng).color()
        pitch = rng.uniform(0.08, 0.4, 2) * size * rng.choice([1, 4], 2, p=[0.8, 0.2])
        y, x = np.mgrid[0:size, 0:size] + rng.uniform(0, size, (2, 1, 1))
        tone = np.sin(np.floor(y / pitch[0]) * 12.9898 + np.floor(x / pitch[1]) * 78.233) * rng.uniform(
            0, 0.12
        )
        joint = (y / pitch[0] % 1 < 0.04) | (x / pitch[1] % 1 < 0.04)
        return color * (1 + tone - 0.3 * rng.random() * joint)[..., None]

    def _light(self, size: int) -> np.ndarray:
        """A ramp, a vignette, or the glow of a lamp."""
        rng = self._rng
        y, x = np.mgrid[0:size, 0:size] / size - 0.5
        if rng.random() < 0.5:
            ramp = x * rng.normal() + y * rng.normal()
            return 1 - rng.uniform(0.05, 0.8) * (ramp - ramp.min()) / max(np.ptp(ramp), 1e-6)
        cy, cx = rng.uniform(-0.6, 0.6, 2)
        return 1 - rng.uniform(0.05, 0.7) * (
            1 - np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / rng.uniform(0.15, 1.5))
        )
