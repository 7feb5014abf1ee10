"""Drawn pairs: a window of scenes that is renewed while training goes on, and random crops from it."""

from __future__ import annotations

import numpy as np
import torch

from dead_leaves import LeafPainter
from degrade import shrink
from textures import texture_bank

Rng = np.random.Generator
SCENE_SIZE = 256
BANK_LIFE = 400
"""Scenes drawn before the textures are drawn anew."""


class SrPool:
    """Pairs of one factor; crops are mirrored, turned and have channels swapped."""

    def __init__(self, rng: Rng, count: int, factor: int) -> None:
        self._rng = rng
        self._factor = factor
        self._drawn = 0
        self._pairs = [self._pair() for _ in range(count)]

    def renew(self) -> None:
        """Replace the oldest pair by a new scene: a fixed pool is learnt by heart."""
        self._pairs[self._drawn % len(self._pairs)] = self._pair()

    def batch(self, count: int, edge: int) -> tuple[torch.Tensor, torch.Tensor]:
        """float32 low [count,3,edge,edge] and high, 0..1."""
        pairs = [self._crop(edge) for _ in range(count)]
        low, high = (np.stack(side) for side in zip(*pairs, strict=True))
        return _tensor(low), _tensor(high)

    def _pair(self) -> tuple[np.ndarray, np.ndarray]:
        if self._drawn % BANK_LIFE == 0:
            self._painter = LeafPainter(self._rng, texture_bank(self._rng, 80, 512))
        self._drawn += 1
        high = self._painter.scene(SCENE_SIZE)
        return shrink(self._rng, high, self._factor), high

    def _crop(self, edge: int) -> tuple[np.ndarray, np.ndarray]:
        rng, f = self._rng, self._factor
        low, high = self._pairs[rng.integers(len(self._pairs))]
        y, x = rng.integers(0, SCENE_SIZE // f - edge + 1, 2)
        low = low[y : y + edge, x : x + edge]
        high = high[y * f : (y + edge) * f, x * f : (x + edge) * f]
        turns, mirror, order = rng.integers(4), rng.random() < 0.5, rng.permutation(3)
        return _turn(low, turns, mirror)[..., order], _turn(high, turns, mirror)[..., order]


def drawn_test(count: int, factor: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Clean pairs that no training seed draws: what settings are chosen by."""
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
