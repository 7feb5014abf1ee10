"""Houses, churches, towers and their windows, in meters."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import (
    box,
    loft,
    merged,
)
from stage import Stage
from surfaces.colors import any_color

Rng = np.random.Generator


def house(rng: Rng, stage: Stage) -> None:
    """A house, a church or a tower, with windows, a door and a roof."""
    w, d, h = rng.uniform(4, 9), rng.uniform(4, 9), rng.uniform(3, 8)
    is_tower = rng.random() < 0.35
    if is_tower:
        w = d = rng.uniform(2.5, 4)
        h = rng.uniform(8, 16)
    wall = [m.bricks, m.plaster, m.stone, m.wood][rng.integers(4)](rng)
    roof = m.painted(rng, any_color(rng)) if rng.random() < 0.4 else m.stone(rng)
    stage.add(box(w, d, h), wall, smooth=None)
    rise = (h * rng.uniform(0.3, 0.7)) if is_tower else w * rng.uniform(0.25, 0.6)
    over = 0.35
    if is_tower:
        peak = np.tile([(0.01, 0.0)], (4, 1)) * 0
        base = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (w / 2 + over)
        rings = np.stack(
            [np.column_stack([base, np.full(4, h)]), np.column_stack([peak, np.full(4, h + rise)])]
        )
        stage.add(loft(rings), roof, smooth=None)
    else:
        side = np.array(
            [(-w / 2 - over, h - 0.1), (0, h + rise), (w / 2 + over, h - 0.1), (0, h + rise - 0.25)]
        )
        rings = np.stack([np.insert(side, 1, y, axis=1) for y in (-d / 2 - over, d / 2 + over)])
        stage.add(loft(rings), roof, smooth=None)
        gable = np.array([(-w / 2, h), (w / 2, h), (0, h + rise * 0.97)])
        stage.add(
            loft(np.stack([np.insert(gable, 1, y, axis=1) for y in (-d / 2, d / 2)])), wall, smooth=None
        )
        stage.add(box(0.6, 0.6, rise * 0.8).moved(w * 0.25, 0, h + rise * 0.4), m.bricks(rng), smooth=None)
    facade(rng, stage, w, h, -d / 2)
    for made in stage.group(lambda r, s: facade(r, s, d, h, -w / 2), rng):
        stage.put([made], (0, 0, 0), np.pi / 2)


def facade(rng: Rng, stage: Stage, width: float, height: float, y: float) -> None:
    """Windows with frames on a wall that faces -Y, and a door."""
    tall, wide, step = rng.uniform(0.9, 1.6), rng.uniform(0.6, 1.1), rng.uniform(1.5, 2.4)
    panes, frames = [], []
    for z in np.arange(1.0, height - tall - 0.2, max(2.4, tall + 0.9)):
        for x in np.arange(-width / 2 + step / 2, width / 2 - step / 2 + 0.01, step):
            panes.append(box(wide, 0.02, tall).moved(x, y - 0.01, z))
            frames.append(box(wide + 0.16, 0.06, 0.08).moved(x, y - 0.02, z - 0.08))
            frames.append(box(wide + 0.16, 0.06, 0.08).moved(x, y - 0.02, z + tall))
            frames += [box(0.06, 0.06, tall).moved(x + s * wide / 2, y - 0.02, z) for s in (-1, 0, 1)]
    if panes:
        stage.add(merged(panes), m.plain((0.03, 0.035, 0.045), 0.05), smooth=None)
        stage.add(
            merged(frames),
            m.painted(rng, (0.7, 0.7, 0.68)) if rng.random() < 0.6 else m.painted(rng),
            smooth=None,
        )
    stage.add(
        box(1.0, 0.08, 2.1).moved(rng.uniform(-0.3, 0.3) * width, y - 0.01, 0), m.wood(rng), smooth=None
    )
