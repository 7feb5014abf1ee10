"""Boats and airplanes along X, in meters."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import (
    Solid,
    box,
    lathe,
    loft,
    merged,
    rod,
    smooth_curve,
)
from stage import Stage

Rng = np.random.Generator


def boat(rng: Rng, stage: Stage) -> None:
    """A boat along X: a hull, and a cabin or a mast with sails."""
    length = rng.uniform(3, 8)
    w, h = length * rng.uniform(0.2, 0.32), length * rng.uniform(0.08, 0.16)
    rings = []
    for t in np.linspace(0, 1, 20):
        half = w / 2 * np.interp(t, [0, 0.2, 0.6, 1], [0.75, 0.95, 1, 0.03])
        rise = h * (1 + 0.5 * t**3)
        x = (t - 0.5) * length
        keel = h * 0.15 + h * 0.5 * t**5
        rings.append(
            [
                (x, -half, rise),
                (x, -half * 0.8, keel + (rise - keel) * 0.3),
                (x, 0, keel * 0.5),
                (x, half * 0.8, keel + (rise - keel) * 0.3),
                (x, half, rise),
                (x, half * 0.85, rise * 0.85),
                (x, -half * 0.85, rise * 0.85),
            ]
        )
    stage.add(loft(np.array(rings)), m.painted(rng) if rng.random() < 0.6 else m.wood(rng), smooth=0.9)
    if rng.random() < 0.55:
        mast = length * rng.uniform(0.9, 1.3)
        stage.add(
            rod((0.05 * length, 0, h * 0.5), (0.05 * length, 0, h + mast), 0.02 * length / 3), m.wood(rng)
        )
        cloth_ = m.cloth(rng, (0.8, 0.78, 0.72)) if rng.random() < 0.6 else m.cloth(rng)
        for foot, tip in ((-0.42, 0.03), (0.46, 0.07)):
            grid_ = []
            for v in np.linspace(0, 1, 10):
                u = np.linspace(0, 1, 8)
                x = (tip + (foot - tip) * (1 - v) * u) * length
                belly = 0.09 * length * np.sin(np.pi * u) * (1 - v) * np.sin(np.pi * min(1, v + 0.2))
                grid_.append(np.stack([x, belly, np.full(8, h * 1.3 + v * mast * 0.95)], 1))
            stage.add(_sheet(np.stack(grid_)), cloth_)
    else:
        stage.add(
            box(length * 0.3, w * 0.6, h * 1.2).moved(-length * 0.1, 0, h * 0.8), m.painted(rng), bevel=0.04
        )
        stage.add(
            box(length * 0.28, w * 0.61, h * 0.35).moved(-length * 0.1, 0, h * 1.5),
            m.plain((0.02, 0.02, 0.03), 0.05),
        )


def _sheet(rows: np.ndarray) -> Solid:
    """Points [R,C,3] as a mesh."""
    count, wide = rows.shape[:2]
    faces = [
        (r * wide + c, r * wide + c + 1, (r + 1) * wide + c + 1, (r + 1) * wide + c)
        for r in range(count - 1)
        for c in range(wide - 1)
    ]
    return Solid(rows.reshape(-1, 3), faces)


def airplane(rng: Rng, stage: Stage) -> None:
    """An airplane along X, in the air or on the ground."""
    length = rng.uniform(6, 14)
    r = length * rng.uniform(0.045, 0.08)
    nose = np.array([(0.02, 0), (0.6, 0.03), (1, 0.12), (1, 0.6), (0.6, 0.85), (0.15, 1)])
    hull = lathe(smooth_curve(nose, 30) * (r, length), 20).turned("y", -np.pi / 2).moved(x=length / 2)
    paint = m.painted(rng, (0.8, 0.8, 0.8)) if rng.random() < 0.6 else m.painted(rng)
    span, chord, sweep = length * rng.uniform(0.8, 1.2), length * 0.16, length * rng.uniform(0, 0.2)
    wings = []
    for size, x, z, lift in ((1.0, 0.05, -0.3, 0.05), (0.35, 0.45, 0.1, 0.02)):
        for side in (-1, 1):
            root = np.array(
                [(-chord / 2, 0, 0), (0, 0, 0.02 * length), (chord / 2, 0, 0), (0, 0, -0.005 * length)]
            ) * (size, 1, size)
            tip = root * (0.45, 1, 0.3) + (sweep * size, side * span / 2 * size, lift * span * size)
            wings.append(loft(np.stack([root, tip])).moved(x * length, 0, z * r))
    fin_root = np.array(
        [(-chord * 0.3, 0, 0), (0, 0.01 * length, 0), (chord * 0.3, 0, 0), (0, -0.01 * length, 0)]
    )
    wings.append(
        loft(np.stack([fin_root, fin_root * (0.5, 0.4, 1) + (chord * 0.35, 0, length * 0.14)])).moved(
            length * 0.43, 0, r * 0.4
        )
    )
    z = r * 2
    stage.add(hull.moved(z=z), paint)
    stage.add(merged(wings).moved(z=z), paint if rng.random() < 0.6 else m.painted(rng))
    panes = [
        box(0.25, 0.02, 0.25).moved(x, s * r * 0.97, z + r * 0.15)
        for x in np.arange(-length * 0.33, length * 0.1, 0.6)
        for s in (-1, 1)
    ]
    stage.add(merged(panes), m.plain((0.02, 0.02, 0.03), 0.1))
    engines = [
        lathe(np.array([(0.3, 0), (0.45, 0.4), (0.4, 1.5), (0.25, 1.8)]) * (r * 1.2, r * 1.3))
        .turned("y", np.pi / 2)
        .moved(-0.02 * length, s * span * 0.18, z - r * 0.8)
        for s in (-1, 1)
    ]
    stage.add(merged(engines), m.metal(rng))
    legs = [
        rod((x, y, z - r * 0.5), (x, y, 0.1), 0.06)
        for x, y in ((-length * 0.35, 0), (0.05 * length, r), (0.05 * length, -r))
    ]
    if rng.random() < 0.5:
        stage.add(merged(legs), m.metal(rng))
