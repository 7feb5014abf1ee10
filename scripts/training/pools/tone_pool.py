"""Drawn photographs as finished by a careful photographer, and the same with wrong exposure or development.

A drawing is interpreted as reflectances, lit unevenly, exposed for middle gray, and developed with a filmic
curve that uses the whole range (Reinhard et al. 2002, "Photographic tone reproduction").
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import zoom

from drawing.backdrops import Backdrops
from drawing.cutout import Cutout
from drawing.people import figure, portrait
from drawing.skin_tones import encode
from drawing.surface import Surfaces
from drawing.textures import power_noise, texture_bank

Rng = np.random.Generator
DRAWN = 128
CELLS = 64
KEY = 0.2
MIDDLE = 0.44
"""Mean of median and average, sRGB: what exposure for 18% gray gives, a little darker for depth."""
LUMA = np.array([0.2126, 0.7152, 0.0722])
STRONG_CASTS = 0.3
"""Share of damaged pictures under light of a strong color, a bulb or blue shade."""
VEILED = 0.1
"""Share of damaged pictures behind haze or stray light."""


class TonePool:
    """Draws finished pictures, float32 [CELLS,CELLS,3] sRGB 0..1."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        textures = texture_bank(rng, 40, 256)
        self._surfaces = Surfaces(rng, textures)
        self._backdrops = Backdrops(rng, textures, DRAWN)

    def finished(self) -> np.ndarray:
        """One picture that needs no correction."""
        rng = self._rng
        reflected = np.clip(decode(self._scene()), 0.015, 0.95) * self._lamp()
        key = KEY * np.exp(rng.normal(0, 0.25))
        gray = reflected @ LUMA
        exposed = reflected * (key / np.exp(np.log(gray).mean()))
        white = np.quantile(exposed.max(2), 0.995) * rng.uniform(0.9, 1.4)
        filmed = exposed * (1 + exposed / white**2) / (1 + exposed)
        return self._full_range(encode(np.clip(filmed, 0, 1)))

    def _scene(self) -> np.ndarray:
        """sRGB [DRAWN,DRAWN,3], downscaled by half to CELLS. Two of five backdrops have a person in front of
        them.
        """
        rng = self._rng
        scene = self._backdrops.draw().astype(np.float32) / 255
        if rng.random() < 0.4:
            cutout = Cutout(rng, self._surfaces, DRAWN)
            (portrait if rng.random() < 0.5 else figure)(cutout)
            rgba = cutout.small()[0].astype(np.float32) / 255
            scene = scene + rgba[..., 3:] * (rgba[..., :3] - scene)
        cells = scene.reshape(CELLS, 2, CELLS, 2, 3).mean((1, 3))
        gray = (cells @ LUMA)[..., None]
        return gray + (cells - gray) * rng.uniform(0.25, 0.9)  # the world is less colorful than palettes

    def _lamp(self) -> np.ndarray:
        """Uneven light [CELLS,CELLS,1]: a ramp, clouds, and a shadow, several stops apart, with a slight
        color.
        """
        rng = self._rng
        ramp = np.linspace(-1, 1, CELLS)
        stops = ramp[:, None] * rng.normal(-0.5, 0.8) + ramp[None, :] * rng.normal(0, 0.5)
        stops = stops + power_noise(rng, CELLS, 2.5) * rng.uniform(0, 0.8)
        if rng.random() < 0.5:
            shadow = zoom(rng.normal(0, 1, (4, 4)), CELLS / 4, order=1) > rng.normal(0.3, 0.5)
            stops = stops - shadow * rng.uniform(0.5, 2.5)
        return 2.0 ** stops[..., None] * np.exp(rng.normal(0, 0.02, 3))

    def _full_range(self, picture: np.ndarray) -> np.ndarray:
        """Black and white points and contrast, as set at the end of a development."""
        rng = self._rng
        low, high = np.quantile(picture @ LUMA, 0.01), np.quantile(picture.max(2), 0.99)
        black, white = rng.uniform(0, 0.05), rng.uniform(0.9, 1.0)
        picture = np.clip(black + (picture - low) * ((white - black) / max(high - low, 0.2)), 0, 1)
        middle = np.clip(0.5 * np.median(picture @ LUMA) + 0.5 * picture.mean(), 0.05, 0.95)
        wanted = np.clip(rng.normal(MIDDLE, 0.06), 0.25, 0.6)  # 18% gray is 0.46; the mood varies
        return (picture ** np.clip(np.log(wanted) / np.log(middle), 0.45, 2.2)).astype(np.float32)


def decode(picture: np.ndarray) -> np.ndarray:
    """sRGB to linear light."""
    return np.where(picture <= 0.04045, picture / 12.92, ((np.maximum(picture, 0.04) + 0.055) / 1.055) ** 2.4)


def damaged(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """The same view with wrong exposure, light, contrast, and color. A quarter stays unchanged."""
    if rng.random() < 0.25:
        return picture
    stops = np.clip(rng.normal(-0.6, 0.8), -3.5, 1.2)
    if rng.random() < 0.3:
        stops = stops + _backlight(rng)
    spread = 0.25 if rng.random() < STRONG_CASTS else 0.09
    warmth, tint = rng.normal(0, spread), rng.normal(0, 0.04)
    gains = np.exp(np.array([warmth, tint, -warmth])) * 2.0**stops
    shot = encode(np.clip(decode(picture) * gains, 0, 1))
    if rng.random() < 0.3:  # developed for its highlights, like night scenes, or flat
        shot = shot ** np.exp(rng.normal(0.25, 0.3))
    middle = shot.mean()
    shot = middle + (shot - middle) * rng.uniform(0.6, 1.0)
    shot = shot + rng.uniform(0, 0.1) * rng.integers(0, 2) * (1 - shot)
    if rng.random() < VEILED:
        shot = veil(rng, shot)
    gray = (shot @ LUMA)[..., None]
    shot = gray + (shot - gray) * rng.uniform(0.5, 1.05)
    return (np.round(np.clip(shot, 0, 1) * 255) / 255).astype(np.float32)


def veil(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Haze or stray light, near white, slightly blue or yellow. Black is no longer black."""
    light = 0.85 + rng.normal(0, 0.05) + rng.normal(0, 0.05) * np.array([1, 0, -1])
    return picture + rng.uniform(0.12, 0.35) * (light - picture)


def low_key(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """No fault: intentionally dark, with a lit part at full brightness. It must not change."""
    y, x = np.mgrid[0:1:64j, 0:1:64j]
    cy, cx = rng.uniform(0.3, 0.7, 2)
    lit = np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / rng.uniform(0.02, 0.08))
    return encode(np.clip(decode(np.clip(picture, 0, 1)) * (0.02 + lit[..., None]), 0, 1))


def _backlight(rng: Rng) -> np.ndarray:
    """Stops [CELLS,CELLS,1]: a part of the view is dark, with a soft border."""
    field = zoom(rng.normal(0, 1, (4, 4)), CELLS / 4, order=1)
    part = np.clip((field - rng.normal(-0.3, 0.5)) * 4, 0, 1)
    return -part[..., None] * rng.uniform(0.5, 3.0)
