"""Four-legged animals with blended limbs. They look toward -X, in meters."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

import surfaces.materials as m
from shapes.blend import Limb, blended
from shapes.solid import (
    ball,
    smooth_curve,
)
from stage import Stage
from subjects.fur import coat_of

Rng = np.random.Generator


@dataclass(frozen=True)
class Breed:
    """Proportions, as fractions of the length of the trunk."""

    size: tuple[float, float]
    """Length of the trunk in meters, from and to."""
    legs: float
    girth: float
    neck: float
    rise: float
    """Of the neck, in radians."""
    head: float
    snout: float
    tail: float
    limb: float
    """Thickness of the legs."""
    fur: tuple[float, float]
    """Length of hair, as a share of the trunk; 0 is none."""


BREEDS = (
    (Breed((0.4, 0.8), 0.75, 0.2, 0.3, 0.9, 0.17, 0.22, 0.5, 0.05, (0.0, 0.1)), 0.28),  # dog
    (Breed((0.3, 0.4), 0.55, 0.17, 0.2, 0.9, 0.16, 0.08, 0.9, 0.045, (0.02, 0.09)), 0.2),  # cat
    (Breed((1.4, 1.8), 0.85, 0.2, 0.5, 0.9, 0.13, 0.25, 0.5, 0.04, (0.0, 0.01)), 0.1),  # horse
    (Breed((1.4, 1.9), 0.65, 0.26, 0.3, 0.35, 0.14, 0.2, 0.5, 0.05, (0.0, 0.02)), 0.1),  # cow
    (Breed((0.8, 1.1), 0.55, 0.3, 0.25, 0.6, 0.13, 0.14, 0.15, 0.05, (0.03, 0.09)), 0.08),  # sheep
    (Breed((1.0, 1.5), 0.45, 0.28, 0.25, 0.3, 0.22, 0.16, 0.1, 0.1, (0.02, 0.06)), 0.1),  # bear
    (Breed((0.15, 0.3), 0.4, 0.3, 0.15, 0.8, 0.24, 0.1, 0.15, 0.07, (0.02, 0.08)), 0.08),  # rabbit, rodent
    (Breed((1.0, 1.5), 1.0, 0.17, 0.5, 1.1, 0.12, 0.18, 0.15, 0.03, (0.0, 0.01)), 0.06),  # deer
)


def quadruped(rng: Rng, stage: Stage) -> None:
    """An animal that stands, walks, sits, or lies."""
    breeds, shares = zip(*BREEDS, strict=True)
    b = breeds[rng.choice(len(breeds), p=np.array(shares) / sum(shares))]
    size = rng.uniform(*b.size)
    legs = b.legs * rng.choice([1.0, 1.0, 1.0, 0.35]) * rng.uniform(0.85, 1.15)
    pitch = rng.choice([0.0, 0.75], p=[0.75, 0.25]) if b.size[0] < 0.5 and legs > 0.3 else 0.0
    girth, limb = b.girth * rng.uniform(0.8, 1.15), b.limb * rng.uniform(0.85, 1.2)
    hip, chest = np.array([0.45, 0, legs]), np.array([-0.45, 0, legs + 0.02])
    if pitch:
        hip = np.array([0.3, 0, 0.2])
        chest = hip + 0.9 * np.array([-np.cos(pitch), 0, np.sin(pitch)])
    parts = [
        Limb(hip, chest, girth * 0.85, girth),
        Limb(hip * 0.5 + chest * 0.5 - (0, 0, 0.03), chest, girth * 0.9, girth),
    ]
    stride = rng.uniform(0, 0.2)
    for index, (base, y) in enumerate(((chest, 0.55), (chest, -0.55), (hip, 0.5), (hip, -0.5))):
        y = y * girth
        foot = np.array([base[0] + stride * (1 if index in (0, 3) else -1), y, limb])
        top = base + (0, y, -girth * 0.2)
        if pitch and index > 1:
            foot = np.array([hip[0] - 0.25, y * 1.6, limb])
        bend = 0.06 if index < 2 else -0.1
        knee = (top + foot) / 2 + (bend, 0, 0)
        parts += [
            Limb(top, knee, limb * (1.7 if index < 2 else 2.4), limb * 1.1),
            Limb(knee, foot, limb * 1.1, limb * 0.8),
            Limb(foot, foot - (limb, 0, 0), limb, limb * 0.8),
        ]
    rise = b.rise * rng.uniform(0.3, 1.3)
    aside = rng.normal(0, 0.35)
    crown = chest + (b.neck + girth * 0.6) * np.array([-np.cos(rise), aside * 0.3, np.sin(rise)])
    face = np.array([-np.cos(aside) * 0.9, np.sin(aside), rng.uniform(-0.5, -0.05)])
    face /= np.linalg.norm(face)
    nose = crown + face * (b.head * 0.5 + b.snout)
    parts += [
        Limb(chest + (0, 0, girth * 0.3), crown, girth * 0.65, b.head * 0.7),
        Limb(crown, crown + face * b.head * 0.3, b.head, b.head * 0.85),
        Limb(crown - (0, 0, b.head * 0.25), nose - (0, 0, b.head * 0.3), b.head * 0.6, b.head * 0.38),
    ]
    across = np.cross(face, (0, 0, 1))
    across /= np.linalg.norm(across)
    ear, droop = b.head * rng.choice([0.6, 1.0, 2.2], p=[0.5, 0.35, 0.15]), rng.uniform(-0.7, 1)
    for s in (-1, 1):
        root = crown + across * s * b.head * 0.65 + (0, 0, b.head * 0.6)
        parts.append(
            Limb(root, root + across * s * ear * 0.5 + (0, 0, ear * droop), b.head * 0.25, b.head * 0.1)
        )
    tail = smooth_curve(
        np.array(
            [
                hip + (girth * 0.6, 0, girth * 0.3),
                hip + (girth + b.tail * 0.4, rng.normal(0, 0.1), rng.uniform(-0.3, 0.4)),
                hip + (girth + b.tail * rng.uniform(0.3, 0.8), rng.normal(0, 0.2), rng.uniform(-0.4, 0.6)),
            ]
        ),
        5,
    )
    parts += [Limb(p, q, limb * 0.9, limb * 0.6) for p, q in itertools.pairwise(tail)]
    body = blended(parts, 0.06)
    body = body.scaled(size, size, size).moved(z=-float(body.vertices[:, 2].min()) * size)
    lift = -float((body.vertices[:, 2]).min())
    body = body.moved(z=lift)
    coat = m.fur(rng)
    stage.add(body, coat, smooth=3.0)
    base_z = _lowest(parts)
    for s in (-1, 1):
        eye = crown + face * b.head * 0.8 + across * s * b.head * 0.5 + (0, 0, b.head * 0.22)
        stage.add(
            ball(1, 1, 1, 12).scaled(*(3 * [b.head * 0.16 * size])).moved(*((eye - (0, 0, base_z)) * size)),
            m.plain((0.01, 0.008, 0.005), 0.05),
        )
    tip = nose + face * b.head * 0.3 - (0, 0, b.head * 0.22)
    stage.add(
        ball(1, 1, 0.8, 12).scaled(*(3 * [b.head * 0.2 * size])).moved(*((tip - (0, 0, base_z)) * size)),
        m.plain((0.02, 0.015, 0.015), 0.3),
    )
    hair = rng.uniform(*b.fur)
    if hair > 0.01:
        coat_of(rng, stage, body, hair * size, coat, droop=rng.uniform(0.2, 1.2))


def _lowest(parts: list[Limb]) -> float:
    """z of the feet."""
    return min(min(p.a[2] - p.ra, p.b[2] - p.rb) for p in parts)
