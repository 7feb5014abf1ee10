"""Cars, trucks, bicycles and motorcycles along X, on z = 0, in meters."""

from __future__ import annotations

import itertools

import numpy as np

import surfaces.materials as m
from shapes.solid import (
    box,
    lathe,
    loft,
    merged,
    ring,
    rod,
    smooth_curve,
)
from stage import Stage

Rng = np.random.Generator


def car(rng: Rng, stage: Stage) -> None:
    """A car along X: its side outline, rounded across, with windows, wheels, and lamps."""
    length, width, tall = rng.uniform(3.6, 4.9), rng.uniform(1.6, 1.9), rng.uniform(1.35, 1.75)
    hood, belt, front, back = (
        rng.uniform(0.15, 0.32),
        rng.uniform(0.52, 0.62),
        rng.uniform(0.05, 0.16),
        rng.uniform(0.02, 0.2),
    )
    trunk = rng.choice([0.0, 0.15])
    x = np.array([0, 0.02, hood, hood + front, 1 - trunk - back, 1 - trunk, 0.99, 1.0]) - 0.5
    z = np.array([0.4, belt * 0.85, belt, 1, 1, belt * (1.02 if trunk else 0.95), belt * 0.95, 0.4]) * tall
    under = np.stack([np.array([0.5, -0.5]) * length, np.full(2, 0.17 * tall)], 1)
    side = smooth_curve(np.stack([x * length, z], 1), 40)
    outline = np.concatenate([side, under])
    rings = []
    for t in np.linspace(-1, 1, 9):
        narrow = 1 - 0.12 * abs(t) ** 4
        lean = 1 - 0.2 * np.clip((outline[:, 1] - belt * tall) / tall, 0, 1)
        low = outline[:, 1] - 0.06 * tall * abs(t) ** 5
        rings.append(np.stack([outline[:, 0] * narrow, t * width / 2 * lean, low], 1))
    stage.add(loft(np.stack(rings)), m.painted(rng), smooth=0.7)
    glass = m.plain((0.01, 0.012, 0.015), 0.03)
    top, base = 0.93 * tall, (belt + 0.04) * tall
    for y in (-1, 1):
        for a, b in ((hood + front * 0.8, 0.5), (0.52, 1 - trunk - back * 0.7)):
            xs = (np.array([a, b, b - 0.02, a + front * 0.5]) - 0.5) * length
            lean = width / 2 * np.array([0.99, 0.99, 0.93, 0.93])
            pane = np.stack([xs, y * lean, [base, base, top, top]], 1)
            rings = np.stack([pane, pane + (0, y * 0.012, 0)])
            stage.add(loft(rings), glass, smooth=None)
    for a, b in ((hood, hood + front), (1 - trunk, 1 - trunk - back)):
        xs, w = (np.array([a, b]) - 0.5) * length, width * 0.42
        pane = np.array(
            [(xs[0], -w, base), (xs[0], w, base), (xs[1], w * 0.92, top), (xs[1], -w * 0.92, top)]
        )
        out = np.array([np.sign(xs[0] - xs[1]) * 0.03, 0, 0.02])
        stage.add(loft(np.stack([pane + out * 0.3, pane + out])), glass, smooth=None)
    radius = rng.uniform(0.29, 0.36)
    for sx in (-0.31, 0.31):
        for y in (-1, 1):
            _wheel(rng, stage, (sx * length, y * width * 0.47, radius), radius, 0.2)
    lamps = m.plain((0.8, 0.8, 0.75), 0.1)
    for y in (-1, 1):
        stage.add(
            box(0.05, 0.3, 0.14).moved(-length * 0.485, y * width * 0.33, tall * 0.42), lamps, bevel=0.03
        )
        stage.add(
            box(0.05, 0.25, 0.16).moved(length * 0.485, y * width * 0.34, tall * 0.45),
            m.plain((0.4, 0.01, 0.01), 0.2),
            bevel=0.03,
        )


def truck(rng: Rng, stage: Stage) -> None:
    """A bus, a van or a truck along X."""
    length, w, h = rng.uniform(4.5, 10), rng.uniform(1.9, 2.5), rng.uniform(2.1, 3.3)
    body, glass = m.painted(rng), m.plain((0.015, 0.018, 0.02), 0.04)
    cab = rng.uniform(1.4, 2)
    has_bed = rng.random() < 0.4
    stage.add(
        box(cab if has_bed else length, w, h * 0.8).moved(x=-(length - cab) / 2 if has_bed else 0, z=0.5),
        body,
        bevel=0.15,
    )
    if has_bed:
        stage.add(
            box(length - cab - 0.1, w, h * rng.uniform(0.3, 0.95)).moved(x=cab / 2, z=0.7),
            m.anything(rng),
            bevel=0.03,
        )
    panes, x = [], -length / 2 + 0.3
    end = -length / 2 + cab if has_bed else length / 2 - 0.4
    while x < end - 0.5:
        panes += [box(0.75, 0.02, h * 0.3).moved(x + 0.4, s * w / 2, 0.5 + h * 0.4) for s in (-1, 1)]
        x += 0.9
    panes.append(box(0.02, w * 0.85, h * 0.35).moved(-length / 2, 0, 0.5 + h * 0.38))
    stage.add(merged(panes), glass, bevel=0.008)
    for x in (-length * 0.36, length * 0.3):
        for y in (-1, 1):
            _wheel(rng, stage, (x, y * w * 0.45, 0.48), 0.48, 0.3)
    stage.add(
        merged([box(0.04, 0.3, 0.2).moved(-length / 2, s * w * 0.35, 0.7) for s in (-1, 1)]),
        m.plain((0.8, 0.8, 0.7), 0.1),
    )


def _wheel(rng: Rng, stage: Stage, at: tuple[float, float, float], radius: float, wide: float) -> None:
    tire = np.array([(0.62, -0.5), (0.95, -0.5), (1, -0.3), (1, 0.3), (0.95, 0.5), (0.62, 0.5)]) * (
        radius,
        wide,
    )
    turned = lathe(tire, 32).turned("x", np.pi / 2).moved(*at)
    rim = (
        lathe(np.array([(0.62, -0.42), (0.2, -0.3), (0.2, 0.3), (0.62, 0.42)]) * (radius, wide), 16)
        .turned("x", np.pi / 2)
        .moved(*at)
    )
    stage.add(turned, m.plain((0.015, 0.015, 0.016), 0.8))
    stage.add(rim, m.plain((0.5, 0.5, 0.52), 0.3, 1.0))


def bicycle(rng: Rng, stage: Stage) -> None:
    """A bicycle along X, with two spoked wheels, a frame, a saddle, and handlebars; or a motorcycle with a
    tank.
    """
    r = 0.34
    hubs = [np.array([-0.52, 0, r]), np.array([0.52, 0, r])]
    thick = rng.choice([0.018, 0.06])
    for hub in hubs:
        stage.add(ring(r - thick, thick).moved(*hub), m.plain((0.02, 0.02, 0.02), 0.8))
        ends = [
            hub + (r - thick) * np.array([np.cos(a), 0, np.sin(a)]) for a in np.linspace(0, 6.283, 17)[:-1]
        ]
        stage.add(merged([rod(hub, end, 0.0025) for end in ends]), m.metal(rng))
    saddle, head, pedal = np.array([-0.2, 0, 0.85]), np.array([0.36, 0, 0.85]), np.array([-0.08, 0, 0.3])
    lines = [
        (hubs[0], saddle * (1, 1, 0.92)),
        (hubs[0], pedal),
        (pedal, saddle),
        (pedal, head * (1, 1, 0.9)),
        (saddle * (1, 1, 0.9), head * (1, 1, 0.97)),
        (hubs[1], head),
    ]
    tubes = 0.017 + 0.3 * max(0, thick - 0.02)
    stage.add(merged([rod(a, b, tubes) for a, b in lines]), m.painted(rng))
    if thick > 0.03:
        stage.add(
            merged([box(0.4, 0.25, 0.22).moved(0.05, 0, 0.7), box(0.35, 0.3, 0.35).moved(0, 0, 0.28)]),
            m.painted(rng),
            bevel=0.07,
        )
    bar = np.array(
        [(0.45, -0.3, 0.95), (0.4, -0.1, 1.0), (0.38, 0, 0.95), (0.4, 0.1, 1.0), (0.45, 0.3, 0.95)]
    )
    stage.add(
        merged([rod(a, b, 0.014) for a, b in itertools.pairwise(bar)] + [rod(head, (0.37, 0, 0.96), 0.015)]),
        m.metal(rng),
    )
    stage.add(box(0.28, 0.14, 0.06).moved(*(saddle + (0, 0, 0.02))), m.leather(rng), bevel=0.025)
