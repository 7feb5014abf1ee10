"""A pool of drawn pairs, and random crops from it."""

from __future__ import annotations

import numpy as np
import torch

from dead_leaves import LeafPainter
from degrade import shrink
from textures import texture_bank

Rng = np.random.Generator
SCENE_SIZE = 256


class SrPool:
    """Pairs of one factor, drawn once; crops are mirrored, turned and have channels swapped."""

    def __init__(self, rng: Rng, count: int, factor: int) -> None:
        self._rng = rng
        self._factor = factor
        painter = LeafPainter(rng, texture_bank(rng, 80, 512))
        self._high = [painter.scene(SCENE_SIZE) for _ in range(count)]
        self._low = [shrink(rng, scene, factor) for scene in self._high]

    def batch(self, count: int, edge: int) -> tuple[torch.Tensor, torch.Tensor]:
        """float32 low [count,3,edge,edge] and high, 0..1."""
        pairs = [self._crop(edge) for _ in range(count)]
        low, high = (np.stack(side) for side in zip(*pairs, strict=True))
        return _tensor(low), _tensor(high)

    def _crop(self, edge: int) -> tuple[np.ndarray, np.ndarray]:
        rng, f = self._rng, self._factor
        i = rng.integers(len(self._high))
        y, x = rng.integers(0, SCENE_SIZE // f - edge + 1, 2)
        low = self._low[i][y : y + edge, x : x + edge]
        high = self._high[i][y * f : (y + edge) * f, x * f : (x + edge) * f]
        turns, mirror, order = rng.integers(4), rng.random() < 0.5, rng.permutation(3)
        return _turn(low, turns, mirror)[..., order], _turn(high, turns, mirror)[..., order]


def _turn(image: np.ndarray, turns: int, mirror: bool) -> np.ndarray:
    turned = np.rot90(image, turns)
    return turned[:, ::-1] if mirror else turned


def _tensor(batch: np.ndarray) -> torch.Tensor:
    planes = np.ascontiguousarray(batch.transpose(0, 3, 1, 2))
    return torch.from_numpy(planes).float().div_(255)
