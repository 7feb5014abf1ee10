"""Furniture, lamps and instruments, standing on z = 0, facing -Y, in meters."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import box, lathe, loft, merged, rod, smooth_curve
from stage import Stage

Rng = np.random.Generator


def chair(rng: Rng, stage: Stage) -> None:
    """A chair: four legs or one, a seat, and a back."""
    w, d, h = rng.uniform(0.38, 0.55), rng.uniform(0.38, 0.55), rng.uniform(0.4, 0.75)
    frame = m.wood(rng) if rng.random() < 0.6 else m.metal(rng)
    radius, splay = rng.uniform(0.012, 0.028), rng.uniform(0, 0.08)
    if rng.random() < 0.75:
        legs = merged(
            [
                rod(
                    (sx * (w / 2 - 0.03), sy * (d / 2 - 0.03), h),
                    (sx * (w / 2 - 0.03 + splay), sy * (d / 2 - 0.03 + splay), 0),
                    radius,
                    radius * 0.8,
                )
                for sx in (-1, 1)
                for sy in (-1, 1)
            ]
        )
        bars = merged(
            [
                rod((sx * w * 0.46, -d * 0.46, h * 0.4), (sx * w * 0.46, d * 0.46, h * 0.4), radius * 0.7)
                for sx in (-1, 1)
            ]
        )
        legs = legs + bars
    else:
        spokes = [
            rod((0, 0, 0.08), (0.3 * np.cos(a), 0.3 * np.sin(a), 0.03), 0.02)
            for a in np.linspace(0, 6.283, 6)[:-1]
        ]
        legs = merged([rod((0, 0, 0.05), (0, 0, h), 0.03), *spokes])
    stage.add(legs, frame)
    cover = [m.cloth, m.leather, m.wood, m.painted][rng.integers(4)](rng)
    stage.add(box(w, d, rng.uniform(0.03, 0.1)).moved(z=h), cover, bevel=0.02)
    if rng.random() < 0.8:
        back = rng.uniform(0.3, 0.6)
        if rng.random() < 0.5:
            stage.add(box(w, 0.04, back).turned("x", -0.12).moved(y=d / 2, z=h + 0.04), cover, bevel=0.015)
        else:
            posts = [
                rod((x, d / 2 - 0.02, h), (x, d / 2 + 0.08, h + back), radius * 0.7)
                for x in np.linspace(-w / 2, w / 2, rng.integers(2, 8))
            ]
            stage.add(
                merged([*posts, box(w + 0.04, 0.03, 0.08).moved(y=d / 2 + 0.08, z=h + back - 0.04)]), frame
            )


def sofa(rng: Rng, stage: Stage) -> None:
    """Seat, back, arms, cushions."""
    w, d = rng.uniform(0.8, 2.2), rng.uniform(0.8, 1.0)
    cover = m.cloth(rng) if rng.random() < 0.6 else m.leather(rng)
    stage.add(box(w, d, 0.3).moved(z=0.12), cover, bevel=0.05)
    stage.add(
        box(w, 0.22, rng.uniform(0.5, 0.75)).turned("x", -0.1).moved(y=d / 2 - 0.1, z=0.2), cover, bevel=0.08
    )
    for side in (-1, 1):
        stage.add(box(0.18, d, rng.uniform(0.4, 0.55)).moved(x=side * w / 2, z=0.12), cover, bevel=0.07)
    for x in np.arange(-w / 2 + 0.45, w / 2 - 0.2, 0.6):
        stage.add(box(0.58, d * 0.75, 0.14).moved(x=x, y=-0.08, z=0.42), cover, bevel=0.05)
        if rng.random() < 0.5:
            stage.add(
                box(0.42, 0.14, 0.42).turned("x", -0.3).moved(x=x, y=0.15, z=0.55), m.cloth(rng), bevel=0.06
            )
    stage.add(
        merged(
            [box(0.05, 0.05, 0.13).moved(sx * w * 0.45, sy * d * 0.4) for sx in (-1, 1) for sy in (-1, 1)]
        ),
        m.wood(rng),
    )


def table(rng: Rng, stage: Stage) -> None:
    """A table or a stool."""
    w, d, h = rng.uniform(0.4, 1.6), rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.8)
    surface = m.wood(rng) if rng.random() < 0.7 else m.painted(rng)
    if rng.random() < 0.35:
        stage.add(lathe(np.array([(d / 2, 0), (d / 2, 0.03), (d / 2 - 0.01, 0.035)]), 48).moved(z=h), surface)
    else:
        stage.add(box(w, d, 0.035).moved(z=h), surface, bevel=0.008)
    reach = d if rng.random() < 0.3 else w
    legs = [
        rod((sx * reach * 0.4, sy * d * 0.4, h), (sx * reach * 0.43, sy * d * 0.43, 0), 0.03, 0.02)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    stage.add(merged(legs), surface if rng.random() < 0.6 else m.metal(rng))


def cabinet(rng: Rng, stage: Stage) -> None:
    """A cabinet with doors or drawers, or open shelves with objects."""
    w, d, h = rng.uniform(0.4, 1.6), rng.uniform(0.3, 0.5), rng.uniform(0.5, 2.0)
    surface, knob = (m.wood(rng) if rng.random() < 0.6 else m.painted(rng)), m.metal(rng)
    rows, columns = rng.integers(1, 6), rng.integers(1, 4)
    stage.add(box(w, d, h), surface, bevel=0.006)
    dark = m.plain((0.02, 0.015, 0.01), 0.9)
    for row in range(rows):
        for column in range(columns):
            fw, fh = w / columns * 0.92, h / rows * 0.9
            x, z = w * ((column + 0.5) / columns - 0.5), h * row / rows + h / rows * 0.05
            if rng.random() < 0.25:
                stage.add(box(fw, 0.004, fh).moved(x, -d / 2, z), dark, smooth=None)
                for _ in range(3):
                    stage.add(
                        box(fw * 0.1, 0.05, fh * rng.uniform(0.3, 0.8)).moved(
                            x + rng.uniform(-0.35, 0.35) * fw, -d / 2, z
                        ),
                        m.anything(rng),
                    )
            else:
                stage.add(box(fw, 0.02, fh).moved(x, -d / 2 - 0.005, z), surface, bevel=0.004)
                stage.add(
                    box(0.02, 0.03, 0.02).moved(x + fw * 0.35 * (rows < 3), -d / 2 - 0.02, z + fh / 2),
                    knob,
                    bevel=0.005,
                )


def lamp(rng: Rng, stage: Stage) -> None:
    """A lamp: a base, a stem, and a shade."""
    h, r = rng.uniform(0.35, 1.7), rng.uniform(0.1, 0.25)
    surface = m.anything(rng)
    stage.add(lathe(np.array([(r * 0.7, 0), (r * 0.7, 0.02), (0.02, 0.04)])), surface)
    if rng.random() < 0.5:
        stage.add(rod((0, 0, 0), (0, 0, h), 0.012), surface)
    else:
        knots = np.stack([rng.uniform(0.02, 0.1, 6), np.linspace(0, h, 6)], 1)
        stage.add(lathe(smooth_curve(knots, 30)), surface)
    flare, tall = rng.uniform(0.4, 1), r * rng.uniform(0.8, 1.6)
    shade = np.array([(r, 0), (r * flare, tall), (r * flare * 0.98, tall), (r * 0.98, 0)])
    stage.add(
        lathe(shade, 40).moved(z=h - tall * 0.4), m.cloth(rng) if rng.random() < 0.7 else m.painted(rng)
    )


def guitar(rng: Rng, stage: Stage) -> None:
    """A body of two bouts, a neck, strings; leaning back."""
    z = np.linspace(0, 0.48, 24)
    half = np.interp(z, [0, 0.04, 0.14, 0.27, 0.38, 0.46, 0.48], [0.02, 0.13, 0.185, 0.12, 0.14, 0.09, 0.02])
    outline = np.concatenate([np.stack([half, z], 1), np.stack([-half, z], 1)[::-1]])
    rings = np.stack([np.insert(outline, 1, y, axis=1) for y in (-0.045, 0.045)])
    parts = [(loft(rings), m.wood(rng) if rng.random() < 0.7 else m.painted(rng))]
    parts.append((box(0.05, 0.025, 0.55).moved(y=-0.05, z=0.42), m.wood(rng, (0.03, 0.015, 0.01))))
    parts.append((box(0.08, 0.03, 0.15).moved(y=-0.045, z=0.97), m.wood(rng)))
    parts.append(
        (
            lathe(np.array([(0.045, 0), (0.045, 0.002)])).turned("x", np.pi / 2).moved(y=-0.046, z=0.27),
            m.plain((0.01, 0.01, 0.01)),
        )
    )
    parts.append(
        (
            merged(
                [
                    rod((x, -0.066, 0.12), (x * 0.6, -0.068, 1.0), 0.0012)
                    for x in np.linspace(-0.025, 0.025, 6)
                ]
            ),
            m.metal(rng),
        )
    )
    lean = rng.normal(0, 0.25)
    for solid, material in parts:
        stage.add(solid.turned("x", -0.15).turned("y", lean).moved(z=0.03), material, smooth=0.5, bevel=0.004)
