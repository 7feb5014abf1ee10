"""Fixed scenes: rendered ones from files, or drawn ones. Only their view varies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from PIL import Image

from pools.seg_pool import SegPool

Rng = np.random.Generator
Scene = tuple[Image.Image, Image.Image]
"""Picture and matte of the same size."""
SIDE = 192
"""Of a kept scene, in pixels, squeezed to a square as `bg_remove` sees pictures."""
VALIDATION_EVERY = 8
"""Rendered scenes whose number is 7, 15, 23 … judge, and never train."""
LEAST, MOST = 0.004, 0.9
"""Share of a picture that a subject covers; a hidden one and one that fills the frame teach nothing."""


def rendered_scenes(folder: Path, *, for_training: bool) -> list[Scene]:
    """The scenes that rendered/render.py wrote, in the order of their numbers, including those without a
    subject.
    """
    found = []
    for path in sorted(folder.glob("*.png"), key=lambda p: int(p.stem)):
        if (int(path.stem) % VALIDATION_EVERY == VALIDATION_EVERY - 1) == for_training:
            continue
        matte = Image.open(path).convert("L").resize((SIDE, SIDE), Image.Resampling.BOX)
        cover = np.asarray(matte).mean() / 255
        if cover == 0 or LEAST < cover < MOST:
            picture = Image.open(path.with_suffix(".jpg")).convert("RGB")
            found.append((picture.resize((SIDE, SIDE), Image.Resampling.LANCZOS), matte))
    return found


def drawn_scenes(rng: Rng, count: int) -> list[Scene]:
    """The given number of scenes from SegPool."""
    pool, found = SegPool(rng, count, count, SIDE), []
    for _ in range(count):
        image, truth = (x[0].numpy() for x in pool.batch(1, SIDE))
        found.append((_picture(image.transpose(1, 2, 0)), _picture(truth[0])))
    return found


def _picture(values: np.ndarray) -> Image.Image:
    return Image.fromarray((np.clip(values, 0, 1) * 255 + 0.5).astype(np.uint8))


class ScenePool:
    """Batches of fixed scenes, cropped, mirrored, and toned differently each time."""

    def __init__(self, rng: Rng, scenes: list[Scene]) -> None:
        self._rng = rng
        self._scenes = scenes

    def batch(self, count: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """float32 images [count,3,size,size] 0..1 and mattes [count,1,size,size]."""
        views = [self._view(size) for _ in range(count)]
        images, mattes = (np.stack(side) for side in zip(*views, strict=True))
        return torch.from_numpy(images.transpose(0, 3, 1, 2).copy()), torch.from_numpy(mattes[:, None])

    def _view(self, size: int) -> tuple[np.ndarray, np.ndarray]:
        rng = self._rng
        scene = self._scenes[rng.integers(len(self._scenes))]
        w, h = SIDE * rng.uniform(0.72, 1.0, 2)
        left, top = rng.uniform(0, SIDE - w), rng.uniform(0, SIDE - h)
        image, matte = (
            np.asarray(
                side.resize((size, size), Image.Resampling.BILINEAR, (left, top, left + w, top + h)),
                np.float32,
            )
            / 255
            for side in scene
        )
        if rng.random() < 0.5:
            image, matte = image[:, ::-1], matte[:, ::-1]
        image = image ** np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.05, 3))
        gray = image.mean(2, keepdims=True)
        image = gray + (image - gray) * rng.choice([0.0, 1.0, rng.uniform(0.4, 1.2)], p=[0.06, 0.44, 0.5])
        return np.clip(image, 0, 1).astype(np.float32), matte
