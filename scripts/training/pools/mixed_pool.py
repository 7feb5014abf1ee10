"""Drawn and rendered scenes in each batch, half and half (docs/decisions/0352)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from pools.scene_pool import ScenePool, rendered_scenes
from pools.seg_pool import SegPool

Rng = np.random.Generator
UNKNOWN = -1.0
"""Skin of a rendered scene: its matte does not tell."""
LOOK_EVERY = 500
"""Batches after which the folder is read again, since rendering may go on."""


class MixedPool:
    """Batches like those of `SegPool`, of which the second half is rendered."""

    def __init__(self, rng: Rng, drawn: SegPool, renders: Path) -> None:
        """`renders`: a folder that rendered/render.py fills. Validation scenes are excluded."""
        self._rng = rng
        self._drawn = drawn
        self._renders = renders
        self._batches = 0
        self._rendered = self._scenes()

    def batch(self, count: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """float32 images [count,3,size,size] 0..1 and truths [count,2,size,size]: subject, skin."""
        self._batches += 1
        if self._batches % LOOK_EVERY == 0:
            self._rendered = self._scenes()
        half = count // 2
        images, truths = self._drawn.batch(count - half, size)
        pictures, mattes = self._rendered.batch(half, size)
        unknown = torch.full_like(mattes, UNKNOWN)
        return torch.cat([images, pictures]), torch.cat([truths, torch.cat([mattes, unknown], 1)])

    def renew(self) -> None:
        """Draw new subjects between batches."""
        self._drawn.renew()

    def _scenes(self) -> ScenePool:
        scenes = rendered_scenes(self._renders, for_training=True)
        if not scenes:
            raise ValueError(f"{self._renders} holds no rendered scene")
        return ScenePool(self._rng, scenes)
