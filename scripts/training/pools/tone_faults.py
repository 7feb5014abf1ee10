"""Finished drawings with one named fault each, for a check of `auto_enhance`.

Training mixes faults at random (`tone_pool.damaged`). A mean over the mix hides which faults remain.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from drawing.skin_tones import encode
from pools.tone_pool import LUMA, decode, low_key, veil

Rng = np.random.Generator
Fault = Callable[[Rng, np.ndarray], np.ndarray]


def none(_rng: Rng, picture: np.ndarray) -> np.ndarray:
    """No fault: a finished picture must not change."""
    return picture


def under(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Underexposed by 1 to 2.5 stops."""
    return _shot(picture, np.full(3, 2.0 ** -rng.uniform(1, 2.5)))


def over(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Overexposed by half a stop to one stop; clipped values are lost."""
    return _shot(picture, np.full(3, 2.0 ** rng.uniform(0.5, 1)))


def flat(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Contrast and colors of an undeveloped picture."""
    middle = picture.mean()
    shot = middle + (picture - middle) * rng.uniform(0.5, 0.8)
    gray = (shot @ LUMA)[..., None]
    return gray + (shot - gray) * rng.uniform(0.6, 0.9)


def blue(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Shade with the white balance of sunlight."""
    return _cast(picture, -rng.uniform(0.15, 0.35))


def amber(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """Light bulb with the white balance of daylight, partly corrected by the camera."""
    return _cast(picture, rng.uniform(0.2, 0.5))


def backlit(rng: Rng, picture: np.ndarray) -> np.ndarray:
    """The lower part is dark, by 1 to 3 stops, in front of a bright background."""
    down = np.clip(np.linspace(-1.5, 3, len(picture)) + rng.normal(0, 0.5), 0, 1)
    return _shot(picture, 2.0 ** (-down[:, None, None] * rng.uniform(1, 3)))


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
"""For these, the right result is the picture itself."""


def _cast(picture: np.ndarray, warmth: float) -> np.ndarray:
    """Log gains between blue and amber that keep the mean brightness."""
    gains = np.exp(np.array([warmth, 0.1 * warmth, -warmth]))
    return _shot(picture, gains / (gains @ LUMA))


def _shot(picture: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Gains of linear light; values above white clip."""
    return encode(np.clip(decode(np.clip(picture, 0, 1)) * gains, 0, 1))
