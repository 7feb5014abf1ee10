"""Shoes, books, cases, balls and parcels, on z = 0 around the origin, in meters."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import (
    ball,
    box,
    lathe,
    loft,
    merged,
    ring,
    rod,
    tube,
)
from stage import Stage
from surfaces.colors import any_color

Rng = np.random.Generator


def shoe(rng: Rng, stage: Stage) -> None:
    """One or a pair: sole, upper, laces."""
    length, heel, shaft = (
        rng.uniform(0.24, 0.3),
        rng.choice([0.02, 0.03, 0.07]),
        rng.choice([0.07, 0.09, 0.2]),
    )
    upper, sole, accent = (
        (m.leather(rng) if rng.random() < 0.6 else m.cloth(rng)),
        m.painted(rng),
        m.painted(rng),
    )
    t = np.linspace(0, 1, 24)
    width = np.interp(t, [0, 0.1, 0.3, 0.5, 0.75, 0.93, 1], [0.45, 0.75, 0.72, 0.8, 1.0, 0.7, 0.25]) * 0.047
    top = np.interp(t, [0, 0.08, 0.3, 0.45, 0.65, 0.85, 1], [0.9, 1, 1, 0.75, 0.55, 0.42, 0.2]) * shaft
    top = np.maximum(top, np.interp(t, [0, 1], [0.05, 0.025]))
    base = heel * np.interp(t, [0, 0.3, 0.6, 1], [1, 0.9, 0.25, 0.35])
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    rings, soles = [], []
    for share, w, z, b in zip(t, width, top, base, strict=True):
        across = np.cos(angle) * w * np.where(np.sin(angle) > 0, 0.75 + 0.25 * np.cos(angle) ** 2, 1)
        rings.append(
            np.stack(
                [across, np.full(20, share * length - length / 2), b + z * (0.5 + 0.5 * np.sin(angle))], 1
            )
        )
        soles.append(
            np.stack(
                [
                    np.cos(angle) * w * 1.08,
                    np.full(20, share * length * 1.02 - length * 0.51),
                    np.where(np.sin(angle) > 0, b + 0.012, 0.0 if share < 0.3 or heel < 0.05 else b * 0.8),
                ],
                1,
            )
        )
    laces = merged(
        [
            rod((-0.025, y, heel * 0.4 + z), (0.025, y + 0.01, heel * 0.4 + z), 0.003)
            for y, z in (
                (length * (s - 0.5), np.interp(s, t, top) + heel * 0.2) for s in np.linspace(0.42, 0.62, 5)
            )
        ]
    )
    for side in range(1 + (rng.random() < 0.6)):
        parts = [
            stage.add(loft(np.stack(rings)), upper, rounds=1),
            stage.add(loft(np.stack(soles)), sole, smooth=0.5),
        ]
        if rng.random() < 0.7:
            parts.append(stage.add(laces, accent))
        stage.put(parts, (side * 0.13, side * rng.normal(0, 0.03), 0), rng.normal(0, 0.2))


def books(rng: Rng, stage: Stage) -> None:
    """A pile."""
    z = 0.0
    for _ in range(rng.integers(1, 6)):
        x, y, h = rng.uniform(0.13, 0.24), rng.uniform(0.18, 0.3), rng.uniform(0.015, 0.05)
        cover, pages = box(x, y, 0.003), box(x * 0.96, y * 0.97, h - 0.006).moved(z=0.003)
        spine = box(0.003, y, h).moved(x=-x / 2)
        outside = m.print_on(rng) if rng.random() < 0.6 else m.cloth(rng)
        parts = [
            stage.add(merged([cover, cover.moved(z=h - 0.003), spine]), outside, smooth=None),
            stage.add(pages, m.plain((0.75, 0.7, 0.6), 0.9), smooth=None),
        ]
        stage.put(parts, (*rng.normal(0, 0.012, 2), z), rng.choice([0, np.pi]) + rng.normal(0, 0.2))
        z += h


def case(rng: Rng, stage: Stage) -> None:
    """A suitcase, a radio, a box, a camera."""
    x, y, z = rng.uniform(0.2, 0.6), rng.uniform(0.08, 0.25), rng.uniform(0.15, 0.5)
    body = [m.leather, m.painted, m.wood, m.print_on, m.metal][rng.integers(5)](rng)
    stage.add(box(x, y, z), body, bevel=min(x, y, z) * rng.uniform(0.02, 0.2))
    detail, radius = m.metal(rng), rng.uniform(0.1, 0.3) * min(x, z)
    for _ in range(rng.integers(1, 5)):
        disk = lathe(np.array([(radius, 0), (radius, 0.01), (radius * 0.8, 0.02)]), 30).turned("x", np.pi / 2)
        at = (rng.uniform(-0.35, 0.35) * x, -y / 2, rng.uniform(0.2, 0.8) * z)
        stage.add(disk.moved(*at), m.anything(rng) if rng.random() < 0.5 else detail)
        radius *= rng.uniform(0.3, 0.9)
    if rng.random() < 0.6:
        r = x * rng.uniform(0.12, 0.3)
        path = np.stack(
            [
                r * np.cos(np.linspace(0, np.pi, 14)),
                np.zeros(14),
                0.6 * r * np.sin(np.linspace(0, np.pi, 14)),
            ],
            1,
        )
        stage.add(tube(path, 0.01).moved(z=z), m.leather(rng))


def sphere(rng: Rng, stage: Stage) -> None:
    """A ball, a balloon or a globe."""
    r = rng.uniform(0.05, 0.3)
    surface = m.cloth(rng) if rng.random() < 0.6 else m.painted(rng)
    stage.add(ball(r, r, r * rng.uniform(0.95, 1.15), 40).moved(z=r), surface)


def gift(rng: Rng, stage: Stage) -> None:
    """A parcel with a ribbon."""
    x, y, z = rng.uniform(0.1, 0.4, 3)
    stage.add(box(x, y, z), m.cloth(rng) if rng.random() < 0.6 else m.print_on(rng), smooth=None)
    ribbon = m.plain(any_color(rng), 0.3)
    bands = box(x * 1.01, y * 0.12, z * 1.005) + box(x * 0.12, y * 1.01, z * 1.005)
    bow = merged(
        [
            ring(z * 0.12, z * 0.025).turned("z", a).moved(0.1 * z * np.cos(a), 0.1 * z * np.sin(a), z * 1.1)
            for a in rng.uniform(0, 6.3, 4)
        ]
    )
    stage.add(bands + bow, ribbon)
