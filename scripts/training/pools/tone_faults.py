"""Finished drawings with one named fault each: what a check of `auto_enhance` counts by.

Training mixes faults at random (`tone_pool.damaged`); a mean over the mix hides which of them stays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from drawing.skin_tones import encode
from pools.tone_pool import LUMA, decode

Rng = np.random.Generator
Fault = Callable[[Rng, np.ndarray], np.ndarray]


def none(_rng: Rng, picture: np.ndarray) -> np.ndarray:
    """A finished picture must stay."""
    return picture


def under(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Too short an exposure, 1 to 2.5 stops."""
    return _shot(picture, np.full(3, 2.0 ** -rng.uniform(1, 2.5)))


def over(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Too long an exposure, half a stop to one; what clips is lost."""
    return _shot(picture, np.full(3, 2.0 ** rng.uniform(0.5, 1)))


def flat(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Contrast and colors of a picture that is not developed yet."""
    middle = picture.mean()
    shot = middle + (picture - middle) * rng.uniform(0.5, 0.8)
    grey = (shot @ LUMA)[..., None]
    return grey + (shot - grey) * rng.uniform(0.6, 0.9)


def veil(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Haze or stray light, near white, a little blue or yellow: black is no longer black."""
    light = 0.85 + rng.normal(0, 0.05) + rng.normal(0, 0.05) * np.array([1, 0, -1])
    return picture + rng.uniform(0.12, 0.35) * (light - picture)


def blue(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Shade taken as sunlight."""
    return _cast(picture, -rng.uniform(0.15, 0.35))


def amber(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """A light bulb taken as daylight, partly corrected by the camera."""
    return _cast(picture, rng.uniform(0.2, 0.5))


def backlit(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """The lower part lies in the dark, 1 to 3 stops down, before what is bright."""
    down = np.clip(np.linspace(-1.5, 3, len(picture)) + rng.normal(0, 0.5), 0, 1)
    return _shot(picture, 2.0 ** (-down[:, None, None] * rng.uniform(1, 3)))


def low_key(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Not a fault: dark by intent, a lit part reaches its full brightness; it must stay."""
    y, x = np.mgrid[0:1:64j, 0:1:64j]
    cy, cx = rng.uniform(0.3, 0.7, 2)
    lit = np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / rng.uniform(0.02, 0.08))
    return _shot(picture, 0.02 + lit[..., None])


FAULTS: dict[str, Fault] = {
    "finished": none,
    "low key": low_key,
    "under": under,
    "over": over,
    "flat": flat,
    "veil": veil,
    "blue": blue,
    "amber": amber,
    "backlit": backlit,
}
STAYS = frozenset({"finished", "low key"})
"""Of these the right answer is the picture itself."""


def _cast(picture: np.ndarray, warmth: float) -> np.ndarray:
    """Log gains along blue and amber, mean brightness kept."""
    gains = np.exp(np.array([warmth, 0.1 * warmth, -warmth]))
    return _shot(picture, gains / (gains @ LUMA))


def _shot(picture: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Gains of linear light; what is above white clips."""
    return encode(np.clip(decode(np.clip(picture, 0, 1)) * gains, 0, 1))
