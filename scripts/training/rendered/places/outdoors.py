"""A street and open country. Each returns the height on which the subject stands."""

from __future__ import annotations

import bpy
import numpy as np

import surfaces.materials as m
from places.indoors import table_under
from places.light import daylight
from places.setting import Setting
from shapes.solid import (
    box,
    grid,
    merged,
    plane,
    rod,
)
from stage import Stage
from subjects.buildings import facade
from subjects.plants import foliage, grown, rock
from surfaces.colors import varied
from surfaces.shader import Shader

Rng = np.random.Generator


def street(s: Setting) -> float:
    """A road or a square in front of houses, with cars, trees, poles, and distant passersby."""
    rng = s.rng
    far = max(rng.uniform(2.5, 14), s.size * 1.5)
    s.stage.add(plane(300, 300), m.ground(rng) if rng.random() < 0.5 else m.stone(rng), smooth=None)
    if rng.random() < 0.6:
        s.stage.add(
            box(200, far * 0.5, 0.12).moved(y=far * 0.75),
            m.tiles(rng) if rng.random() < 0.6 else m.stone(rng),
            smooth=None,
        )
    if rng.random() < 0.4:
        stripes = merged(
            [plane(2.0, 0.15).moved(x, far * rng.uniform(0.2, 0.4), 0.005) for x in np.arange(-30, 30, 4.0)]
        )
        s.stage.add(stripes, m.plain((0.7, 0.7, 0.65), 0.8), smooth=None)
    x = -25 - rng.uniform(0, 8)
    while x < 25:
        w, h = rng.uniform(5, 14), rng.uniform(4, 14)
        if rng.random() < 0.85:
            wall = [m.bricks, m.plaster, m.stone][rng.integers(3)](rng)
            parts = s.stage.group(
                lambda r, st, w=w, h=h, wall=wall: (
                    st.add(box(w, 8, h).moved(y=4), wall, smooth=None),
                    facade(r, st, w, h, 0.0),
                ),
                rng,
            )
            s.stage.put(parts, (x + w / 2, far + rng.uniform(0, 2), 0))
        x += w + rng.choice([0, rng.uniform(0, 4)])
    for _ in range(rng.integers(0, 6)):
        item = s.stage.group(s.clutter("large"), rng)
        s.stage.put(
            item,
            (rng.uniform(-9, 9), rng.uniform(max(s.size, far * 0.35), far * 0.9), 0),
            rng.choice([0, 0, rng.uniform(-3, 3)]),
        )
    if rng.random() < 0.5:
        poles = [
            rod((px, far * 0.6, 0), (px, far * 0.6, rng.uniform(3, 7)), 0.06)
            for px in rng.uniform(-12, 12, 3)
        ]
        s.stage.add(merged(poles), m.metal(rng))
    daylight(s)
    return 0.0 if s.size > 0.9 or rng.random() < 0.5 else table_under(s)


def nature(s: Setting) -> float:
    """Uneven ground with grass, stones, bushes, and hills, and sometimes water."""
    rng = s.rng
    cells = 90
    extent = max(30.0, s.size * 14)
    axis = np.linspace(-1, 1, cells + 1)
    y, x = np.meshgrid(axis, axis, indexing="ij")
    height = sum(
        rng.normal(0, 0.5 / k)
        * np.sin(k * (x * rng.normal(0, 2) + y * rng.normal(0, 2)) * 2 + rng.uniform(0, 6))
        for k in range(1, 8)
    )
    flat = np.clip(np.hypot(x, y) * 2.5 - 0.25, 0, 1) * (y > -0.2)
    hill = np.clip(y - 0.1, 0, 1) * rng.uniform(0, 0.6)
    surface = m.ground(rng)
    s.stage.add(
        grid(extent, cells, (height * 0.04 + hill) * flat * extent * rng.uniform(0.1, 0.6)),
        surface,
        smooth=3.0,
    )
    s.stage.add(
        plane(4000, 4000).moved(z=-0.02 * extent - 0.05),
        m.ground(rng) if rng.random() < 0.7 else _water(rng),
        smooth=None,
    )
    if rng.random() < 0.65:
        _grass(s, rng.uniform(0.02, 0.2) * min(1.0, s.size), max(2.0, s.size * 4))
    stones = [
        rock(rng, s.size * np.exp(rng.normal(-1.7, 0.6))).moved(*_aside(rng, s.size))
        for _ in range(rng.integers(0, 12))
    ]
    if stones:
        s.stage.add(merged(stones), m.stone(rng), smooth=0.9)
    for _ in range(rng.integers(0, 3)):
        tall = rng.uniform(1, 6)
        bark, places, ways = grown(rng, tall)
        item = [
            s.stage.add(bark, m.wood(rng)),
            s.stage.add(foliage(rng, places, ways, tall * 0.06, 3), m.leaf(rng), smooth=None),
        ]
        for k in range(rng.integers(1, 5)):
            at = (rng.uniform(-10, 10), s.size + rng.uniform(2, 12), -0.1)
            copies = item if k == 0 else [_copy(s.stage, made) for made in item]
            s.stage.put(copies, at, rng.uniform(0, 6), rng.uniform(0.8, 1.2))
    daylight(s)
    return 0.0


def _copy(stage: Stage, made: bpy.types.Object) -> bpy.types.Object:
    """Another object with the same mesh, which the renderer stores only once."""
    twin = made.copy()
    twin.matrix_world.identity()
    stage.scene.collection.objects.link(twin)
    stage.objects.append(twin)
    return twin


def _aside(rng: Rng, size: float) -> tuple[float, float, float]:
    angle, far = rng.uniform(-0.5, np.pi + 0.5), size * rng.uniform(0.8, 5)
    return far * np.cos(angle), far * np.sin(angle), -0.02


def _grass(s: Setting, length: float, reach: float) -> None:
    rng = s.rng
    count = 14000
    at = np.column_stack(
        [rng.uniform(-reach, reach, count), reach * (rng.random(count) * 1.9 - 0.7), np.full(count, -0.02)]
    )
    t = np.linspace(0, 1, 4)[None, :, None]
    lean = np.column_stack([rng.normal(0, 0.4, (count, 2)), rng.uniform(0.5, 1.1, count)])
    points = at[:, None] + length * (
        t * lean[:, None] + t**2 * rng.normal(0, 0.3, (count, 1, 3)) * (1, 1, 0.3)
    )
    s.stage.strands(points, length * rng.uniform(0.015, 0.04) + 0.001, m.leaf(rng))


def _water(rng: Rng) -> m.Material:
    shader = Shader("water").set(Base_Color=varied(rng, (0.02, 0.06, 0.08)), Roughness=0.05)
    return shader.bump(shader.noise(rng.uniform(0.5, 4), 4), rng.uniform(0.1, 0.5), 0.3).material
