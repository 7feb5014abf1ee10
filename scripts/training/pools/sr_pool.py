"""Drawn training examples: scenes that are renewed during training, and random crops of them."""

from __future__ import annotations

import numpy as np
import torch

from drawing.dead_leaves import LeafPainter
from drawing.textures import texture_bank
from networks.sr_teacher import Teacher
from pools.degrade import jagged, shrink

Rng = np.random.Generator
Lesson = tuple[np.ndarray, np.ndarray, np.ndarray]
SCENE_SIZE = 256
JAGGED = 0.08
"""Share of lessons in flat colors with hard edges: who saw none of them draws rims along such edges."""
BANK_LIFE = 400
"""Scenes drawn before the textures are drawn anew."""


class SrPool:
    """Examples for one factor. Crops are mirrored, rotated, and get swapped channels.

    An example is a small picture, the large one, and the teacher's output; without a teacher, the large one.
    A fraction `clean` (0..1) of the small ones is plain bicubic. With only those, a network produces ringing
    on real files.
    """

    def __init__(
        self, rng: Rng, count: int, factor: int, *, clean: float, teacher: Teacher | None = None
    ) -> None:
        self._rng = rng
        self._factor = factor
        self._clean = clean
        self._teacher = teacher
        self._drawn = 0
        self._lessons = [self._lesson() for _ in range(count)]

    def renew(self) -> None:
        """Replace the oldest example by a new scene, because the network would memorize a fixed pool."""
        self._lessons[self._drawn % len(self._lessons)] = self._lesson()

    def batch(self, count: int, edge: int) -> list[torch.Tensor]:
        """float32 low [count,3,edge,edge], high and taught, 0..1."""
        crops = [self._crop(edge) for _ in range(count)]
        return [_tensor(np.stack(part)) for part in zip(*crops, strict=True)]

    def _lesson(self) -> Lesson:
        if self._drawn % BANK_LIFE == 0:
            self._painter = LeafPainter(self._rng, texture_bank(self._rng, 80, 512))
        self._drawn += 1
        high = self._painter.scene(SCENE_SIZE)
        if self._rng.random() < JAGGED:
            low, high = jagged(self._rng, high, self._factor)
            return low, high, high  # a teacher may not have seen such pictures
        low = shrink(self._rng, high, self._factor, clean=bool(self._rng.random() < self._clean))
        return low, high, self._teacher.answer(low) if self._teacher else high

    def _crop(self, edge: int) -> Lesson:
        rng, f = self._rng, self._factor
        low, high, taught = self._lessons[rng.integers(len(self._lessons))]
        y, x = rng.integers(0, SCENE_SIZE // f - edge + 1, 2)
        small = slice(y, y + edge), slice(x, x + edge)
        large = slice(y * f, (y + edge) * f), slice(x * f, (x + edge) * f)
        turns, mirror, order = rng.integers(4), rng.random() < 0.5, rng.permutation(3)
        low, high, taught = (
            _turn(part, turns, mirror)[..., order] for part in (low[small], high[large], taught[large])
        )
        return low, high, taught


def drawn_test(count: int, factor: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Clean pairs that no training seed draws, for choosing settings."""
    rng = np.random.default_rng([7, 2026])
    painter = LeafPainter(rng, texture_bank(rng, 40, 512))
    scenes = [painter.scene(SCENE_SIZE) for _ in range(count)]
    return [(shrink(rng, scene, factor, clean=True), scene) for scene in scenes]


def _turn(image: np.ndarray, turns: int, mirror: bool) -> np.ndarray:
    turned = np.rot90(image, turns)
    return turned[:, ::-1] if mirror else turned


def _tensor(batch: np.ndarray) -> torch.Tensor:
    planes = np.ascontiguousarray(batch.transpose(0, 3, 1, 2))
    return torch.from_numpy(planes).float().div_(255)
