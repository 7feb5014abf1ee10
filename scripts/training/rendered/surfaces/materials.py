"""Procedural materials. Every function returns a new Cycles material."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np

from surfaces.colors import Color, any_color, from_hsv, varied
from surfaces.shader import Shader

Rng = np.random.Generator
Material = bpy.types.Material


def plain(color: Color, roughness: float = 0.5, metallic: float = 0.0) -> Material:
    """One color."""
    return Shader("plain").set(Base_Color=color, Roughness=roughness, Metallic=metallic).material


def painted(rng: Rng, color: Color | None = None) -> Material:
    """Lacquer or plastic, a little uneven, sometimes worn."""
    color, shader = color or any_color(rng), Shader("painted")
    uneven = shader.noise(rng.uniform(2, 15), 5)
    tone = shader.ramp(uneven, (0.35, varied(rng, color, 0.1)), (0.65, color))
    if rng.random() < 0.25:
        worn = shader.ramp(shader.noise(rng.uniform(8, 40), 8), (0.6, (0, 0, 0)), (0.66, (1, 1, 1)))
        tone = shader.mixed(worn, tone, varied(rng, (0.25, 0.22, 0.2)))
    shader.set(Base_Color=tone, Roughness=rng.uniform(0.08, 0.7))
    if rng.random() < 0.3:
        shader.set(Coat_Weight=rng.uniform(0.3, 1.0), Coat_Roughness=0.05)
    return shader.material


def metal(rng: Rng) -> Material:
    """Steel, brass, copper, gold, or black iron, brushed or rusty."""
    tones = [(0.6, 0.6, 0.62), (0.35, 0.35, 0.37), (0.75, 0.55, 0.25), (0.7, 0.35, 0.2), (0.08, 0.08, 0.09)]
    color = varied(rng, tones[rng.integers(len(tones))], 0.1)
    shader = Shader("metal").set(Metallic=1.0, Roughness=rng.uniform(0.08, 0.55), Base_Color=color)
    if rng.random() < 0.3:
        rust = shader.ramp(shader.noise(rng.uniform(5, 25), 8), (0.45, (0, 0, 0)), (0.6, (1, 1, 1)))
        shader.set(Base_Color=shader.mixed(rust, color, varied(rng, (0.2, 0.07, 0.03))), Roughness=0.7)
    return shader.material


def wood(rng: Rng, color: Color | None = None) -> Material:
    """Grain along one axis."""
    color = color or from_hsv(rng.uniform(0.04, 0.1), rng.uniform(0.25, 0.7), rng.uniform(0.2, 0.8))
    shader = Shader("wood")
    stretch = [1.0, 1.0, 1.0]
    stretch[rng.integers(3)] = rng.uniform(0.05, 0.2)
    at = shader.mapped(tuple(stretch))
    grain = shader.mixed(
        0.5, shader.waves(rng.uniform(5, 25), rng.uniform(2, 8), at), shader.noise(60, 4, at=at)
    )
    tone = shader.ramp(
        grain, (0.2, varied(rng, color, 0.05)), (0.8, tuple(c * rng.uniform(0.3, 0.7) for c in color))
    )
    return shader.set(Base_Color=tone, Roughness=rng.uniform(0.25, 0.8)).bump(grain, 0.2, 0.002).material


def cloth(rng: Rng, color: Color | None = None) -> Material:
    """Plain, striped, checked, dotted, or printed; with folds."""
    color, shader = color or any_color(rng), Shader("cloth")
    other, kind, size = any_color(rng), rng.random(), rng.uniform(8, 40)
    turn = tuple(rng.choice([0.0, np.pi / 2, np.pi / 4], 3))
    if kind < 0.45:
        tone = shader.ramp(
            shader.noise(rng.uniform(20, 200), 4), (0.3, varied(rng, color, 0.1)), (0.7, color)
        )
    elif kind < 0.6:
        tone = shader.ramp(
            shader.waves(size / 3, 0.0, shader.mapped((1, 1, 1), turn)), (0, color), (0.5, other), hard=True
        )
    elif kind < 0.7:
        tone = shader.mixed(shader.checks(size), color, other)
    elif kind < 0.82:
        tone = shader.ramp(shader.cells(size), (0, other), (rng.uniform(0.2, 0.4), color), hard=True)
    else:
        print_ = shader.noise(size / 3, rng.uniform(0, 4), rng.uniform(0, 3))
        tone = shader.ramp(print_, (0, color), (0.45, other), (0.55, any_color(rng)), hard=rng.random() < 0.6)
    shader.set(Base_Color=tone, Roughness=rng.uniform(0.7, 1), Sheen_Weight=rng.uniform(0, 0.4))
    return shader.bump(shader.noise(rng.uniform(5, 14), 2, 1.5), rng.uniform(0.3, 0.9), 0.03).material


def leather(rng: Rng, color: Color | None = None) -> Material:
    """Small cells, half glossy."""
    tones = [(0.15, 0.06, 0.03), (0.02, 0.02, 0.02), (0.3, 0.15, 0.06), any_color(rng)]
    color, shader = color or varied(rng, tones[rng.integers(4)]), Shader("leather")
    tone = shader.ramp(shader.noise(rng.uniform(5, 20), 4), (0.3, varied(rng, color, 0.15)), (0.7, color))
    shader.set(Base_Color=tone, Roughness=rng.uniform(0.25, 0.6))
    return shader.bump(shader.cells(rng.uniform(150, 400)), 0.3, 0.002).material


def glass(rng: Rng, color: Color | None = None) -> Material:
    """Clear or tinted."""
    tints = [(0.95, 0.97, 0.96), (0.95, 0.97, 0.96), (0.25, 0.5, 0.3), (0.5, 0.25, 0.08), (0.3, 0.5, 0.7)]
    color = color or varied(rng, tints[rng.integers(5)], 0.05)
    dark = 1 - sum(color) / 3
    shader = Shader("glass").set(Base_Color=color, Transmission_Weight=1.0, Roughness=0.02, IOR=1.45)
    return shader.opaque(0.3 + 0.6 * dark).material


def stone(rng: Rng, color: Color | None = None) -> Material:
    """Granite, marble, sandstone, concrete."""
    color = color or from_hsv(rng.uniform(0, 0.15), rng.uniform(0, 0.25), rng.uniform(0.3, 0.85))
    shader = Shader("stone")
    veins = shader.noise(rng.uniform(2, 12), 10, rng.uniform(0, 2))
    spots = shader.noise(rng.uniform(40, 200), 2)
    tone = shader.ramp(veins, (0.3, varied(rng, color, 0.3)), (0.55, color), (0.75, varied(rng, color, 0.2)))
    tone = shader.mixed(
        0.35, tone, shader.ramp(spots, (0.35, (0.1, 0.1, 0.1)), (0.65, (0.9, 0.9, 0.9))), "OVERLAY"
    )
    return shader.set(Base_Color=tone, Roughness=rng.uniform(0.3, 0.95)).bump(veins, 0.4, 0.01).material


def print_on(rng: Rng) -> Material:
    """A label or a cover: blocks of color and lines like writing."""
    shader, ground = Shader("print"), any_color(rng)
    lines = shader.ramp(
        shader.waves(rng.uniform(20, 80), 0, shader.mapped((0, 0, 1))),
        (0, (0, 0, 0)),
        (0.6, (1, 1, 1)),
        hard=True,
    )
    words = shader.ramp(shader.noise(rng.uniform(60, 200), 0), (0, (0, 0, 0)), (0.5, (1, 1, 1)), hard=True)
    areas = shader.ramp(
        shader.noise(rng.uniform(4, 15), 0), (0, ground), (0.45, any_color(rng)), (0.55, ground), hard=True
    )
    tone = shader.mixed(shader.mixed(1.0, lines, words, "MULTIPLY"), areas, any_color(rng))
    return shader.set(Base_Color=tone, Roughness=rng.uniform(0.2, 0.7)).material


def fur(rng: Rng, color: Color | None = None) -> Material:
    """The coat of an animal: plain, mottled, spotted, or striped."""
    color = color or from_hsv(rng.uniform(0.02, 0.12), rng.uniform(0.05, 0.65), rng.uniform(0.06, 0.9))
    other, shader, kind = varied(rng, color, 0.9), Shader("fur"), rng.random()
    if kind < 0.35:
        pattern = (shader.noise(rng.uniform(2, 6), 4), 0.4, 0.6)
    elif kind < 0.55:
        pattern = (shader.cells(rng.uniform(6, 14)), 0.3, 0.36)
    elif kind < 0.7:
        pattern = (shader.waves(rng.uniform(3, 8), rng.uniform(2, 6)), 0.45, 0.55)
    else:
        pattern = (shader.noise(rng.uniform(1.5, 4), 2), 0.48, 0.52)
    tone = shader.ramp(pattern[0], (pattern[1], color), (pattern[2], other))
    return shader.set(Base_Color=tone, Roughness=0.85).material


def leaf(rng: Rng) -> Material:
    """A leaf, green or with autumn colors."""
    hue = rng.uniform(0.2, 0.36) if rng.random() < 0.85 else rng.uniform(0.02, 0.15)
    color, shader = from_hsv(hue, rng.uniform(0.35, 0.85), rng.uniform(0.2, 0.65)), Shader("leaf")
    tone = shader.ramp(shader.noise(rng.uniform(3, 30), 3), (0.3, varied(rng, color, 0.3)), (0.7, color))
    return shader.set(Base_Color=tone, Roughness=rng.uniform(0.3, 0.8)).material


def bricks(rng: Rng) -> Material:
    """A wall."""
    color = from_hsv(rng.uniform(0, 0.1), rng.uniform(0.05, 0.65), rng.uniform(0.3, 0.8))
    shader = Shader("bricks")
    wide = rng.uniform(0.2, 0.5)
    tone = shader.bricks(
        (color, varied(rng, color, 0.3), varied(rng, (0.4, 0.38, 0.35))), wide, wide / rng.uniform(2, 4), 0.01
    )
    dirt = shader.ramp(shader.noise(rng.uniform(0.7, 4), 6), (0.3, (0.45, 0.45, 0.45)), (0.7, (1, 1, 1)))
    return shader.set(Base_Color=shader.mixed(1.0, tone, dirt, "MULTIPLY"), Roughness=0.9).material


def ground(rng: Rng) -> Material:
    """Ground: earth, sand, grass at a distance, asphalt, or snow."""
    tones = [
        (0.12, 0.08, 0.05),
        (0.45, 0.35, 0.22),
        (0.08, 0.14, 0.03),
        (0.06, 0.06, 0.065),
        (0.8, 0.82, 0.86),
    ]
    color = varied(rng, tones[rng.choice(5, p=[0.25, 0.2, 0.27, 0.23, 0.05])], 0.25)
    shader = Shader("ground")
    large, small = shader.noise(rng.uniform(0.2, 2), 8), shader.noise(rng.uniform(15, 80), 6)
    tone = shader.ramp(large, (0.3, varied(rng, color, 0.3)), (0.7, varied(rng, color, 0.3)))
    tone = shader.mixed(
        0.6, tone, shader.ramp(small, (0.3, (0.1, 0.1, 0.1)), (0.7, (0.9, 0.9, 0.9))), "OVERLAY"
    )
    return shader.set(Base_Color=tone, Roughness=rng.uniform(0.6, 1)).bump(small, 0.6, 0.03).material


def tiles(rng: Rng) -> Material:
    """A floor of tiles or boards."""
    shader, color = (
        Shader("tiles"),
        any_color(rng)
        if rng.random() < 0.4
        else from_hsv(0.08, rng.uniform(0.1, 0.6), rng.uniform(0.3, 0.8)),
    )
    size = rng.uniform(1.2, 4)
    if rng.random() < 0.5:
        tone = shader.mixed(shader.checks(size), color, varied(rng, color, rng.choice([0.05, 1.0])))
    else:
        at = shader.mapped((1, rng.uniform(0.1, 0.3), 1))
        boards = shader.cells(size * 2, at, distance=False)
        tone = shader.mixed(0.25, color, boards, "MULTIPLY")
        tone = shader.mixed(
            0.3,
            tone,
            shader.ramp(shader.waves(8, 5, at), (0.2, (0.3, 0.3, 0.3)), (0.8, (0.7, 0.7, 0.7))),
            "OVERLAY",
        )
    return shader.set(Base_Color=tone, Roughness=rng.uniform(0.08, 0.7)).material


def plaster(rng: Rng) -> Material:
    """A painted wall, with or without a pattern."""
    color = from_hsv(rng.random(), rng.uniform(0, 0.35), rng.uniform(0.45, 0.95))
    if rng.random() < 0.2:
        return cloth(rng, color)
    shader = Shader("plaster")
    tone = shader.ramp(shader.noise(rng.uniform(0.5, 4), 6), (0.3, varied(rng, color, 0.08)), (0.7, color))
    return (
        shader.set(Base_Color=tone, Roughness=0.9)
        .bump(shader.noise(rng.uniform(20, 90), 3), 0.2, 0.01)
        .material
    )


SURFACES: tuple[Callable[[Rng], Material], ...] = (
    painted,
    painted,
    metal,
    wood,
    cloth,
    leather,
    stone,
    print_on,
)


def anything(rng: Rng) -> Material:
    """A material of an artificial object."""
    return SURFACES[rng.integers(len(SURFACES))](rng)
