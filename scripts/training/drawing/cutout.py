"""A drawn subject on a transparent canvas, with its matte and its skin mask."""

from __future__ import annotations

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

from drawing.palette import Palette
from drawing.shapes import raster
from drawing.surface import Surfaces
from drawing.textures import power_noise

Rng = np.random.Generator
SUPERSAMPLING = 2


class Cutout:
    """Canvas with normalized coordinates: x to the right and y down, 0..1."""

    def __init__(self, rng: Rng, surfaces: Surfaces, size: int) -> None:
        self.rng = rng
        self.palette = Palette(rng)
        self._surfaces = surfaces
        self._side = size * SUPERSAMPLING
        self.color = np.zeros((self._side, self._side, 3), np.float32)
        self.matte = np.zeros((self._side, self._side), bool)
        self.skin = np.zeros((self._side, self._side), bool)

    def part(
        self,
        points: np.ndarray,
        tone: np.ndarray | None = None,
        *,
        skin: bool = False,
        roundness: float = 0.5,
    ) -> None:
        """Paint a closed outline [K,2] with `tone` (sRGB) or a fill of the palette, shaded like a solid."""
        stamp = raster(points * self._side, self._side)
        if stamp is None or not stamp.mask.any():
            return
        height, width = stamp.mask.shape
        if tone is None:
            fill = self._surfaces.fill(self.palette, height, width)
        else:
            mottle = self._surfaces.crop(height, width)[..., None] * (0.03 if skin else 0.12)
            fill = tone.astype(np.float32) * (1 + mottle)
        fill = fill * self._shade(stamp.mask, roundness)[..., None]
        area = np.s_[stamp.top : stamp.top + height, stamp.left : stamp.left + width]
        np.copyto(self.color[area], np.clip(fill, 0, 1), where=stamp.mask[..., None])
        self.matte[area] |= stamp.mask
        self.skin[area] = np.where(stamp.mask, skin, self.skin[area])

    def _shade(self, mask: np.ndarray, roundness: float) -> np.ndarray:
        """Light from one side on a solid whose height is the blurred mask."""
        height, width = mask.shape
        step = max(1, min(height, width) // 32)
        relief = gaussian_filter(mask[::step, ::step].astype(np.float32), min(mask.shape) / step / 6 + 0.5)
        dy, dx = np.gradient(relief) if min(relief.shape) > 1 else (relief * 0, relief * 0)
        angle = self.rng.normal(-np.pi / 2, 0.8)
        slope = (dx * np.cos(angle) + dy * np.sin(angle)) * min(relief.shape) * 0.6
        shade = 1 + roundness * np.clip(slope, -0.8, 0.5) * self.rng.uniform(0.2, 1.0)
        return np.asarray(Image.fromarray(shade).resize((width, height), Image.Resampling.BILINEAR))

    def small(self) -> tuple[np.ndarray, np.ndarray]:
        """uint8 RGBA [S,S,4] (straight alpha) and skin [S,S]."""
        rough = 1 + 0.12 * power_noise(self.rng, self._side // 4, 1.8)
        rough = np.asarray(Image.fromarray(rough.astype(np.float32)).resize((self._side,) * 2))
        alpha = _halve(self.matte.astype(np.float32))
        premultiplied = _halve(self.color * (rough * self.matte)[..., None])
        color = np.clip(premultiplied / np.maximum(alpha, 1e-3)[..., None], 0, 1)
        rgba = np.concatenate([color, alpha[..., None]], 2)
        return (rgba * 255 + 0.5).astype(np.uint8), (_halve(self.skin.astype(np.float32)) * 255).astype(
            np.uint8
        )


def _halve(canvas: np.ndarray) -> np.ndarray:
    size = canvas.shape[0] // SUPERSAMPLING
    return canvas.reshape(size, SUPERSAMPLING, size, SUPERSAMPLING, *canvas.shape[2:]).mean((1, 3))


def capsule(a: np.ndarray, b: np.ndarray, ra: float, rb: float) -> np.ndarray:
    """Outline of a limb from `a` to `b` with radii at its ends."""
    angle = np.arctan2(b[1] - a[1], b[0] - a[0])
    t = np.linspace(-np.pi / 2, np.pi / 2, 10)
    end = b + rb * np.stack([np.cos(angle + t), np.sin(angle + t)], 1)
    start = a + ra * np.stack([np.cos(angle + np.pi + t), np.sin(angle + np.pi + t)], 1)
    return np.concatenate([end, start])


def wobble(rng: Rng, center: np.ndarray, rx: float, ry: float, amount: float) -> np.ndarray:
    """Ellipse with Fourier bumps of relative size `amount`."""
    t = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    r = np.ones_like(t)
    for k in range(2, 9):
        r += rng.normal(0, amount / np.sqrt(k)) * np.cos(k * t + rng.uniform(0, 2 * np.pi))
    return center + np.stack([np.cos(t) * rx * r, np.sin(t) * ry * r], 1)
