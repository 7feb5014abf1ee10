"""Birds, fish, and stuffed toys. They look toward -X, in meters."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.blend import Limb, blended
from shapes.solid import (
    Solid,
    ball,
    lathe,
    merged,
    rod,
    tube,
)
from stage import Stage
from subjects.fur import coat_of
from surfaces.colors import from_hsv

Rng = np.random.Generator


def bird(rng: Rng, stage: Stage) -> None:
    """Sits, stands on long legs, swims or flies."""
    size, legs = rng.uniform(0.08, 0.4), rng.choice([0.25, 0.5, 1.4], p=[0.5, 0.3, 0.2])
    fat, neck = rng.uniform(0.26, 0.36), rng.uniform(0.05, 0.2) if legs < 1 else rng.uniform(0.3, 0.9)
    flies = rng.random() < 0.25
    tilt = rng.uniform(0, 0.7)
    breast = np.array([-0.35 * np.cos(tilt), 0, legs + 0.35 * np.sin(tilt)])
    rump = np.array([0.4 * np.cos(tilt), 0, legs - 0.3 * np.sin(tilt)])
    head = breast + (-0.12 - neck * 0.3, 0, 0.15 + neck)
    parts = [
        Limb(breast, rump, fat, fat * 0.45),
        Limb(breast + (0, 0, 0.05), head, fat * 0.55, 0.13),
        Limb(head, head - (0.05, 0, 0), 0.17, 0.13),
    ]
    body = blended(parts, 0.08, 56)
    coat = m.fur(rng, from_hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.95)))
    wing_coat = coat if rng.random() < 0.4 else m.fur(rng)
    stage.add(body.scaled(size, size, size), coat, smooth=3.0)
    beak = np.array([(0.05, 0), (0.03, rng.uniform(0.06, 0.3)), (0.002, rng.uniform(0.15, 0.5))])
    orange = m.plain(from_hsv(rng.uniform(0.02, 0.14), rng.uniform(0.2, 0.9), rng.uniform(0.1, 0.9)), 0.4)
    stage.add(lathe(beak * size, 10).turned("y", -np.pi / 2).moved(*((head - (0.14, 0, 0)) * size)), orange)
    for s in (-1, 1):
        stage.add(
            ball(1, 1, 1, 10).scaled(*(3 * [0.03 * size])).moved(*((head + (-0.1, s * 0.12, 0.04)) * size)),
            m.plain((0.01, 0.01, 0.01), 0.05),
        )
        feathers = []
        for k in np.linspace(0, 1, 9):
            if flies:
                root = breast + (0.1 + 0.1 * k, s * (0.2 + 0.75 * k), 0.15 + 0.25 * k)
                way = np.array([0.75 - 0.3 * k, s * (0.15 + 0.6 * k), 0.05])
            else:
                root = breast + (0.05 + 0.12 * k, s * fat * (0.95 - 0.15 * k), 0.12 - 0.18 * k)
                way = (rump - breast) * (0.75 - 0.12 * k) + (0.1, 0, 0.02)
            feathers.append(_feather(root * size, way * size, 0.13 * size, 2 if flies else 1))
        stage.add(merged(feathers), wing_coat, smooth=3.0)
        if not flies:
            y = s * 0.1
            stage.add(
                rod((0.02 * size, y * size, legs * size - 0.2 * size), (0, y * size, 0), 0.014 * size), orange
            )
            toes = [
                rod(
                    (0, y * size, 0.01 * size),
                    ((-0.15 + 0.02 * k) * size, (y + 0.07 * k) * size, 0.008 * size),
                    0.012 * size,
                )
                for k in (-1, 0, 1)
            ]
            stage.add(merged(toes), orange)
    tail = [
        _feather(rump * size, (np.array([0.55, 0.1 * k, -0.2 * np.sin(tilt) - 0.02]) * size), 0.09 * size, 2)
        for k in (-1.5, -0.5, 0.5, 1.5)
    ]
    stage.add(merged(tail), wing_coat, smooth=3.0)


def _feather(root: np.ndarray, way: np.ndarray, width: float, thin: int) -> Solid:
    """A feather or a fin. `thin`: the axis along which it is flat."""
    path = root + way * np.linspace(0, 1, 7)[:, None]
    shape = tube(path, width * np.array([0.3, 0.8, 1, 1, 0.9, 0.7, 0.05]), 8)
    middle = np.repeat(path[:, thin], 8)
    shape.vertices[:, thin] = middle + (shape.vertices[:, thin] - middle) * 0.15
    return shape


def fish(rng: Rng, stage: Stage) -> None:
    """A fish, a shark, or a whale, above the ground as if in water."""
    size = rng.uniform(0.15, 1.0)
    deep, flat = rng.uniform(0.12, 0.35), rng.uniform(0.35, 0.8)
    sway = rng.normal(0, 0.12)
    spine = [np.array([x, sway * np.sin(x * 4), 0.6]) for x in (-0.5, -0.25, 0.1, 0.45)]
    radii = (0.25, 1.0, 0.85, 0.15)
    limbs = [
        Limb(a, b, deep * ra, deep * rb)
        for a, b, ra, rb in zip(spine, spine[1:], radii, radii[1:], strict=False)
    ]
    body = blended(limbs, 0.05, 56)
    middle = body.vertices - (0, 0, 0.6)
    body = Solid(np.stack([middle[:, 0], middle[:, 1] * flat, middle[:, 2]], 1) + (0, 0, 0.6), body.faces)
    skin = m.fur(rng, from_hsv(rng.random(), rng.uniform(0.05, 0.9), rng.uniform(0.3, 0.95)))
    stage.add(body.scaled(size, size, size), skin, smooth=3.0)
    fins = []
    for root, way in (
        ((0.42, 0, 0.6), (0.25, 0, 0.2)),
        ((0.42, 0, 0.6), (0.25, 0, -0.2)),
        ((-0.1, 0, 0.6 + deep * 0.8), (0.25, 0, 0.18)),
        ((-0.15, deep * flat * 0.8, 0.55), (0.2, 0.15, -0.12)),
        ((-0.15, -deep * flat * 0.8, 0.55), (0.2, -0.15, -0.12)),
    ):
        fins.append(_feather(np.array(root), np.array(way), 0.12, 1))
    shape = merged(fins)
    stage.add(shape.scaled(size, size * 0.98, size), skin, smooth=3.0)
    for s in (-1, 1):
        stage.add(
            ball(1, 1, 1, 10)
            .scaled(*(3 * [0.03 * size]))
            .moved(-0.4 * size, s * deep * flat * 0.5 * size, 0.64 * size),
            m.plain((0.01, 0.01, 0.01), 0.05),
        )


def toy(rng: Rng, stage: Stage) -> None:
    """A stuffed animal, sitting."""
    size, head, ear = rng.uniform(0.15, 0.5), rng.uniform(0.24, 0.34), rng.uniform(0.08, 0.14)
    up, long_ = 0.62, rng.choice([0.0, 0.35], p=[0.75, 0.25])
    parts = [
        Limb((0, 0, 0.25), (0, 0, 0.5), 0.25, 0.2),
        Limb((0, 0, up + 0.15), (-0.05, 0, up + 0.15), head, head),
    ]
    for s in (-1, 1):
        parts += [
            Limb((0, s * 0.15, 0.1), (-0.4, s * 0.22, 0.1), 0.12, 0.1),
            Limb((0, s * 0.2, 0.5), (-0.2, s * 0.36, 0.3), 0.09, 0.08),
            Limb((0, s * head * 0.75, up + 0.33), (0, s * head * 0.8, up + 0.36 + long_), ear, ear * 0.9),
        ]
    body = blended(parts, 0.05)
    coat = (
        m.fur(rng, from_hsv(rng.random(), rng.uniform(0, 0.7), rng.uniform(0.2, 0.95)))
        if rng.random() < 0.7
        else m.cloth(rng)
    )
    body = body.scaled(size, size, size)
    stage.add(body, coat, smooth=3.0)
    stage.add(
        ball(head * 0.5, head * 0.5, head * 0.4, 16)
        .scaled(size, size, size)
        .moved(-head * 0.85 * size, 0, (up + 0.08) * size),
        m.fur(rng),
        smooth=3.0,
    )
    for y, z, r, x in ((0.1, 0.22, 0.035, 0.93), (-0.1, 0.22, 0.035, 0.93), (0, 0.13, 0.05, 1.35)):
        stage.add(
            ball(r, r, r, 12).scaled(size, size, size).moved(-head * x * size, y * size, (up + z) * size),
            m.plain((0.01, 0.01, 0.01), 0.1),
        )
    if rng.random() < 0.7:
        coat_of(rng, stage, body, size * rng.uniform(0.02, 0.06), coat, droop=0.3)
