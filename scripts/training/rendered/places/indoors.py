"""A studio, a room, or a wall close behind the subject. Each returns the height on which the subject stands.
"""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from places.light import daylight, softboxes, world
from places.setting import Setting, scatter
from shapes.solid import (
    Solid,
    box,
    loft,
    merged,
    plane,
)
from surfaces.colors import from_hsv, varied
from surfaces.shader import Shader

Rng = np.random.Generator


def studio(s: Setting) -> float:
    """A backdrop of one color, or a cloth on the floor, with softboxes."""
    rng, far = s.rng, s.size * s.rng.uniform(1.0, 3)
    t = np.linspace(0, np.pi / 2, 12)
    bend = s.size * rng.uniform(0.3, 1)
    curve = np.concatenate(
        [
            [(-30 * s.size, 0)],
            np.stack([far + bend * np.sin(t), bend * (1 - np.cos(t))], 1),
            [(far + bend, 30 * s.size)],
        ]
    )
    rows = np.stack([np.column_stack([np.full(len(curve), x), curve]) for x in (-30 * s.size, 30 * s.size)])
    count = len(curve)
    faces = [(k, k + 1, count + k + 1, count + k) for k in range(count - 1)]
    color = from_hsv(
        rng.random(), rng.choice([0, 0, rng.uniform(0.1, 0.7)]), rng.choice([0.95, rng.uniform(0.05, 0.9)])
    )
    surface = (
        m.plain(color, rng.uniform(0.3, 1))
        if rng.random() < 0.7
        else (m.cloth(rng) if rng.random() < 0.5 else m.plaster(rng))
    )
    s.stage.add(Solid(rows.reshape(-1, 3), faces), surface, smooth=3.0)
    world(s, rng.uniform(0.1, 0.6))
    softboxes(s, s.size, rng.integers(1, 4))
    if rng.random() < 0.3:
        scatter(s, "small" if s.size < 1 else "large", rng.integers(1, 4), 0.0, s.size * 1.3, s.size)
    return 0.0


def room(s: Setting) -> float:
    """Floor, walls, a window, furniture."""
    rng = s.rng
    wide, deep = max(rng.uniform(3, 7), s.size * 2.5), max(rng.uniform(1.2, 4.5), s.size * 1.2)
    tall = max(2.7, s.size * 1.6) + 2.5 * (s.rng.random() < 0.9)
    floor = [m.tiles, m.tiles, m.cloth, m.wood, m.stone][rng.integers(5)](rng)
    s.stage.add(plane(40, 40), floor, smooth=None)
    wall = [m.plaster, m.plaster, m.bricks, m.wood, m.tiles, m.stone][rng.integers(6)](rng)
    walls = [box(wide, 0.1, tall).moved(y=deep)] + [
        box(0.1, 14, tall).moved(x=side * wide / 2, y=deep - 7) for side in (-1, 1) if rng.random() < 0.8
    ]
    s.stage.add(merged(walls), wall, smooth=None)
    s.stage.add(
        box(wide, 0.14, 0.09).moved(y=deep - 0.01), m.painted(rng, varied(rng, (0.7, 0.7, 0.68))), smooth=None
    )
    _on_walls(s, wide, deep, tall)
    for _ in range(rng.integers(1, 5)):
        item = s.stage.group(s.clutter("large"), rng)
        x = rng.uniform(-wide / 2, wide / 2)
        y = deep - 0.5 if abs(x) < max(0.8, s.size) else rng.uniform(0.3, deep - 0.4)
        s.stage.put(item, (x, y, 0), rng.choice([0, rng.uniform(-3, 3)]))
    world(s, rng.uniform(0.15, 0.6), sky=False)
    side = rng.choice([-1, 1])
    warm = np.clip(np.array([1, rng.uniform(0.65, 1), rng.uniform(0.4, 1.1)]), 0, 1)
    s.stage.lamp(
        "AREA",
        (side * wide * 0.45, rng.uniform(-3, deep), tall * 0.8),
        (0, 0, 0.5),
        rng.uniform(60, 250) * (wide / 4) ** 2,
        tuple(warm),
        rng.uniform(0.5, 2),
    )
    if rng.random() < 0.6:
        s.stage.lamp(
            "AREA", (rng.uniform(-1, 1), -1.5, tall), (0, 0, 0), rng.uniform(30, 150), (1, 0.8, 0.6), 0.5
        )
    return table_under(s) if s.size < 0.9 else 0.0


def table_under(s: Setting) -> float:
    """A table under a small object, with other objects on it."""
    rng = s.rng
    height, w, d = rng.uniform(0.4, 0.9), rng.uniform(0.7, 1.8), rng.uniform(0.5, 1)
    surface = [m.wood, m.wood, m.painted, m.cloth, m.stone, m.glass][
        rng.choice(6, p=[0.3, 0.2, 0.15, 0.15, 0.17, 0.03])
    ](rng)
    s.stage.add(box(w, d, 0.04).moved(z=height - 0.04), surface, bevel=0.006)
    s.stage.add(
        merged(
            [
                box(0.05, 0.05, height - 0.04).moved(sx * w * 0.45, sy * d * 0.42)
                for sx in (-1, 1)
                for sy in (-1, 1)
            ]
        ),
        m.wood(rng),
    )
    scatter(s, "small", rng.integers(0, 6), height, s.size * 0.9 + 0.05, min(w, d) * 0.45)
    return height


def _on_walls(s: Setting, wide: float, deep: float, tall: float) -> None:
    rng = s.rng
    for _ in range(rng.integers(0, 5)):
        w, h = rng.uniform(0.2, 0.9, 2)
        x, z = rng.uniform(-wide / 2 + 0.5, wide / 2 - 0.5), rng.uniform(0.8, tall - 0.8)
        s.stage.add(
            box(w + 0.08, 0.04, h + 0.08).moved(x, deep - 0.06, z - 0.04), m.anything(rng), smooth=None
        )
        s.stage.add(
            box(w, 0.05, h).moved(x, deep - 0.065, z),
            m.print_on(rng) if rng.random() < 0.6 else m.cloth(rng),
            smooth=None,
        )
    if rng.random() < 0.45:
        w, h, x = rng.uniform(0.8, 2), rng.uniform(1, 1.6), rng.uniform(-wide / 3, wide / 3)
        bright = (
            Shader("window").set(Emission_Color=(0.8, 0.9, 1), Emission_Strength=rng.uniform(0.5, 4)).material
        )
        s.stage.add(box(w, 0.02, h).moved(x, deep - 0.06, 0.9), bright, smooth=None)
        bars = [box(0.06, 0.08, h).moved(x + k * w / 2, deep - 0.08, 0.9) for k in (-1, 0, 1)] + [
            box(w, 0.08, 0.06).moved(x, deep - 0.08, 0.9 + k * h / 2) for k in (0, 1, 2)
        ]
        s.stage.add(merged(bars), m.painted(rng, (0.75, 0.75, 0.73)), smooth=None)
    if rng.random() < 0.3:
        x, waves = rng.uniform(-wide / 2, wide / 2), np.linspace(0, rng.uniform(1, 2.5), 60)
        line = np.stack([x + waves, deep - 0.15 + 0.05 * np.sin(waves * rng.uniform(20, 45))], 1)
        rings = np.stack([np.column_stack([line, np.full(60, z)]) for z in (0.02, tall - 0.1)])
        faces = [(k, k + 1, 60 + k + 1, 60 + k) for k in range(59)]
        s.stage.add(Solid(rings.reshape(-1, 3), faces), m.cloth(rng), smooth=3.0)


def wall(s: Setting) -> float:
    """A textured wall close behind: bricks, boards, cloth, shelves, leaves."""
    rng, far = s.rng, s.size * s.rng.uniform(0.45, 1.2)
    s.stage.add(plane(60, 60), [m.tiles, m.ground, m.stone, m.wood][rng.integers(4)](rng), smooth=None)
    surface = [m.bricks, m.wood, m.cloth, m.print_on, m.stone, m.tiles, m.plaster, m.metal][rng.integers(8)](
        rng
    )
    if rng.random() < 0.35:
        step = s.size * rng.uniform(0.08, 0.3)
        boards = [
            box(step * 0.92, 0.04 * s.size, 8 * s.size).moved(x, far + rng.normal(0, 0.01) * s.size, 0)
            for x in np.arange(-5 * s.size, 5 * s.size, step)
        ]
        s.stage.add(merged(boards), surface, smooth=None)
    else:
        s.stage.add(
            loft(
                np.array(
                    [
                        [(-30, far, 0), (30, far, 0), (30, far + 0.2, 0), (-30, far + 0.2, 0)],
                        [(-30, far, 20), (30, far, 20), (30, far + 0.2, 20), (-30, far + 0.2, 20)],
                    ]
                )
            ),
            surface,
            smooth=None,
        )
    scatter(s, "small" if s.size < 0.9 else "large", rng.integers(0, 4), 0.0, s.size * 0.9, s.size)
    if rng.random() < 0.5:
        daylight(s)
    else:
        world(s, rng.uniform(0.1, 0.5), sky=False)
        softboxes(s, s.size, rng.integers(1, 3))
    return 0.0
