"""Tools, an umbrella and a sign, on z = 0 around the origin, in meters."""

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
    tube,
)
from stage import Stage

Rng = np.random.Generator


def hammer(rng: Rng, stage: Stage) -> None:
    """A hammer that lies, or stands on its head."""
    length = rng.uniform(0.25, 0.4)
    handle = lathe(
        np.array([(0.016, 0), (0.014, length * 0.3), (0.011, length * 0.8), (0.012, length)])
    ).scaled(1, 1.4, 1)
    head = merged([box(0.12, 0.028, 0.03), rod((0.06, 0, 0.015), (0.085, 0, 0.015), 0.02)]).moved(
        z=length - 0.01
    )
    _lie(rng, stage, [(handle, m.wood(rng) if rng.random() < 0.6 else m.painted(rng)), (head, m.metal(rng))])


def driver(rng: Rng, stage: Stage) -> None:
    """A screwdriver, a brush, or a knife."""
    length, handle = rng.uniform(0.15, 0.25), rng.uniform(0.08, 0.12)
    grip = lathe(
        smooth_curve(np.array([(0.008, 0), (0.016, 0.15), (0.012, 0.6), (0.016, 0.85), (0.008, 1)]), 20)
        * (1, handle),
        6,
    )
    kind = rng.integers(3)
    if kind == 0:
        blade, surface = rod((0, 0, handle), (0, 0, length), 0.004, 0.003), m.metal(rng)
    elif kind == 1:
        blade, surface = box(0.03, 0.015, 0.06).moved(z=handle), m.cloth(rng)
    else:
        edge = np.array([(-0.012, 0), (0.012, 0), (0.014, 0.1), (0.0, 0.17)])
        rings = np.stack([np.insert(edge, 1, y, axis=1) for y in (-0.0012, 0.0012)])
        blade, surface = loft(rings).moved(z=handle), m.metal(rng)
    _lie(rng, stage, [(grip, m.anything(rng)), (blade, surface)])


def umbrella(rng: Rng, stage: Stage) -> None:
    """Open, held up by its stick."""
    r, depth = rng.uniform(0.45, 0.6), rng.uniform(0.15, 0.3)
    t = np.linspace(0.05, np.pi / 2, 10)
    ribs = 8
    angle = np.linspace(0, 2 * np.pi, ribs * 4, endpoint=False)
    sag = 1 - 0.09 * np.abs(np.sin(angle * ribs / 2))
    rings = [
        np.stack(
            [
                r * np.sin(k) * np.cos(angle) * sag,
                r * np.sin(k) * np.sin(angle) * sag,
                np.full(ribs * 4, depth * np.cos(k)),
            ],
            1,
        )
        for k in t
    ]
    top = stage.add(loft(np.stack(rings), closed=False).moved(z=0.75), m.cloth(rng))
    stick = stage.add(rod((0, 0, 0), (0, 0, 0.75 + depth * 1.15), 0.006), m.metal(rng))
    hook = np.stack(
        [
            0.04 * np.cos(np.linspace(0, np.pi, 10)) + 0.04,
            np.zeros(10),
            -0.04 * np.sin(np.linspace(0, np.pi, 10)),
        ],
        1,
    )
    handle = stage.add(tube(hook, 0.012), m.wood(rng))
    tilt = rng.normal(0, 0.5)
    for part in (top, stick, handle):
        part.rotation_euler = (tilt, rng.normal(0, 0.01), 0)
    stage.scene.view_layers[0].update()


def sign(rng: Rng, stage: Stage) -> None:
    """A plate on a pole."""
    pole, size = rng.uniform(1.2, 2.2), rng.uniform(0.3, 0.6)
    sides, turn = [(3, 0.5), (4, 0.25), (4, 0.0), (8, 0.125), (30, 0.0)][rng.integers(5)]
    plate = lathe(np.array([(size, 0), (size, 0.01)]), sides).turned("z", turn * np.pi).turned("x", np.pi / 2)
    border = (
        lathe(np.array([(size * 0.85, 0), (size * 0.85, 0.014)]), sides)
        .turned("z", turn * np.pi)
        .turned("x", np.pi / 2)
    )
    stage.add(rod((0, 0.03, 0), (0, 0.03, pole + size), 0.03), m.metal(rng))
    stage.add(plate.moved(z=pole + size), m.painted(rng))
    stage.add(border.moved(z=pole + size), m.painted(rng) if rng.random() < 0.5 else m.print_on(rng))


def _lie(rng: Rng, stage: Stage, parts: list[tuple[Solid, m.Material]]) -> None:
    """Places an upright object: lying, leaning, or unchanged."""
    kind = rng.random()
    for solid, material in parts:
        if kind < 0.5:
            solid = solid.turned("y", np.pi / 2).moved(x=-0.13, z=0.022)
        elif kind < 0.75:
            solid = solid.turned("y", 0.4).moved(z=0.01)
        stage.add(solid, material, bevel=0.002)
