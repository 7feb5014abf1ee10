"""The parameters of a place, and other objects scattered around the subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stage import Build, Stage

Rng = np.random.Generator


@dataclass(frozen=True)
class Setting:
    """The parameters of a place."""

    rng: Rng
    stage: Stage
    size: float
    """Of the subject: its longest side, in meters."""
    clutter: Callable[[str], Build]
    """Another thing, "small" or "large"."""


def scatter(s: Setting, kind: str, count: int, z: float, near: float, spread: float) -> None:
    """Other objects next to and behind the subject."""
    for _ in range(count):
        item = s.stage.group(s.clutter(kind), s.rng)
        angle = s.rng.uniform(-0.3, np.pi + 0.3)
        far = near + abs(s.rng.normal(0, spread))
        s.stage.put(item, (far * np.cos(angle), far * np.sin(angle), z), s.rng.uniform(-3, 3))
