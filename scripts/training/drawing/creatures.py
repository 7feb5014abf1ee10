"""Drawn animals, plants, and objects: subjects that are not people."""

from __future__ import annotations

import numpy as np

from drawing.cutout import Cutout, capsule, wobble
from drawing.shapes import OUTLINES


def animal(c: Cutout) -> None:
    """Body, neck, head, legs and tail, seen from the side."""
    rng = c.rng
    body = np.array([rng.normal(0.5, 0.08), rng.normal(0.52, 0.08)])
    rx = rng.uniform(0.14, 0.32)
    ry = rx * rng.uniform(0.35, 0.75)
    side = rng.choice([-1, 1])
    coat = c.palette.color()
    second = coat * rng.uniform(0.6, 1.3)
    leg = ry * rng.uniform(0.5, 2.2)
    for x in (-0.7, -0.5, 0.5, 0.7):
        hip = body + [x * rx, ry * 0.5]
        foot = hip + [rng.normal(0, rx * 0.2), leg]
        c.part(capsule(hip, foot, ry * 0.3, ry * 0.14), second)
    tail = body + [-side * rx, -ry * 0.2]
    c.part(
        capsule(tail, tail + rng.normal(0, rx * 0.5, 2) + [-side * rx * 0.4, 0], ry * 0.15, ry * 0.06), coat
    )
    c.part(wobble(rng, body, rx, ry, 0.06), coat if rng.random() < 0.6 else None)
    head = body + [side * rx * rng.uniform(0.9, 1.4), -ry * rng.uniform(0.2, 2.0)]
    c.part(capsule(body + [side * rx * 0.7, -ry * 0.2], head, ry * 0.5, ry * 0.3), coat)
    size = ry * rng.uniform(0.4, 0.8)
    for ear in (-0.5, 0.5):
        tip = head + [ear * size, -size * rng.uniform(1.0, 1.8)]
        c.part(np.array([head + [ear * size * 1.5, -size * 0.4], tip, head + [0, -size * 0.6]]), second)
    c.part(wobble(rng, head, size, size * rng.uniform(0.6, 1), 0.04), coat)
    c.part(capsule(head, head + [side * size * 1.3, size * 0.3], size * 0.5, size * 0.3), second)
    c.part(
        wobble(rng, head + [side * size * 0.3, -size * 0.2], size * 0.12, size * 0.12, 0.02), np.full(3, 0.05)
    )
    for _ in range(rng.integers(0, 6)):
        c.part(wobble(rng, body + rng.normal(0, 0.35, 2) * [rx, ry], rx * 0.15, ry * 0.25, 0.2), second)


def thing(c: Cutout) -> None:
    """An artificial object: a mirrored outline with painted parts (vase, car, house, sign, chair)."""
    rng = c.rng
    center = np.array([rng.normal(0.5, 0.08), rng.normal(0.52, 0.08)])
    height, width = rng.uniform(0.12, 0.42), rng.uniform(0.1, 0.4)
    levels = np.sort(rng.uniform(-1, 1, rng.integers(3, 9)))
    levels[0], levels[-1] = -1, 1
    radii = rng.uniform(0.25, 1, len(levels))
    right = np.stack([radii * width, levels * height], 1)
    left = right[::-1] * [-1, 1]
    c.part(center + np.concatenate([right, left]))
    for _ in range(rng.integers(1, 8)):
        at = rng.uniform(-0.8, 0.8, 2) * [width * 0.6, height]
        outline = OUTLINES[rng.integers(len(OUTLINES))](rng) * rng.uniform(0.02, 0.12)
        for mirror in (1, -1) if rng.random() < 0.7 else (1,):
            c.part(center + (at + outline) * [mirror, 1])


def heap(c: Cutout) -> None:
    """A few overlapping outlines: fruit, flower, stone, tool, toy."""
    rng = c.rng
    center = np.array([rng.normal(0.5, 0.1), rng.normal(0.52, 0.1)])
    spread = rng.uniform(0.0, 0.2)
    for _ in range(rng.integers(1, 7)):
        outline = OUTLINES[rng.integers(len(OUTLINES))](rng)
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        c.part(center + rng.normal(0, spread, 2) + outline @ turn * rng.uniform(0.06, 0.3))


def flower(c: Cutout) -> None:
    """Petals around a disk, with or without a stalk. Also used for wheels and clock faces."""
    rng = c.rng
    center = np.array([rng.normal(0.5, 0.1), rng.normal(0.45, 0.1)])
    radius = rng.uniform(0.1, 0.32)
    petal = c.palette.color()
    if rng.random() < 0.6:
        c.part(
            capsule(center, np.array([center[0] + rng.normal(0, 0.1), 1.05]), 0.015, 0.02),
            np.array([0.25, 0.45, 0.15]) * rng.uniform(0.5, 1.5),
        )
    count = rng.integers(5, 16)
    for angle in np.linspace(0, 2 * np.pi, count, endpoint=False) + rng.uniform(0, 1):
        tip = center + radius * rng.uniform(0.8, 1.1) * np.array([np.cos(angle), np.sin(angle)])
        c.part(
            capsule(center, tip, radius * 0.1, radius * rng.uniform(0.15, 0.35)),
            petal * rng.uniform(0.8, 1.1),
        )
    c.part(wobble(rng, center, radius * 0.35, radius * 0.35, 0.05))
