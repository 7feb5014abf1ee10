"""Fruit, cake and mushrooms, on z = 0 around the origin, in meters."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import (
    ball,
    lathe,
    rod,
    smooth_curve,
    tube,
)
from stage import Stage
from surfaces.colors import from_hsv, varied

Rng = np.random.Generator


def fruit(rng: Rng, stage: Stage) -> None:
    """A few fruits, perhaps in a bowl."""
    in_bowl = rng.random() < 0.4
    if in_bowl:
        curve = smooth_curve(np.array([(0.05, 0), (0.1, 0.02), (0.15, 0.07)]), 12)
        stage.add(lathe(np.concatenate([curve, curve[::-1] - (0.006, -0.004)]), 40), m.anything(rng))
    for _ in range(rng.integers(1, 7)):
        r, color = (
            rng.uniform(0.03, 0.045),
            from_hsv(rng.choice([0.0, 0.08, 0.14, 0.25, 0.8]) + rng.normal(0, 0.02), 0.8, 0.75),
        )
        at = (*rng.normal(0, 0.045 if in_bowl else 0.07, 2), r + (0.03 + rng.uniform(0, 0.04)) * in_bowl)
        if rng.random() < 0.25:
            path = np.stack(
                [
                    0.09 * np.cos(np.linspace(0.3, 2.2, 12)),
                    np.zeros(12),
                    0.09 * np.sin(np.linspace(0.3, 2.2, 12)) - 0.02,
                ],
                1,
            )
            body = tube(path, 0.018 * np.sin(np.linspace(0.35, 2.8, 12)) ** 0.5).turned(
                "z", rng.uniform(0, 6)
            )
            color = from_hsv(0.14, 0.75, 0.85)
        else:
            t = np.linspace(0.05, np.pi - 0.05, 16)
            dent = 1 - 0.25 * np.exp(-((t - np.pi) ** 2) * 8)
            body = lathe(np.stack([np.sin(t) * r, -np.cos(t) * r * dent], 1))
            body = body + rod((0, 0, r * 0.7), (0.004, 0.003, r * 1.25), 0.002)
        stage.put([stage.add(body, m.painted(rng, varied(rng, color)))], at)


def cake(rng: Rng, stage: Stage) -> None:
    """Layers on a plate: cake, burger, or bread."""
    radius, z = rng.uniform(0.06, 0.14), 0.012
    stage.add(
        lathe(np.array([(radius, 0), (radius * 1.5, 0.012), (radius * 1.48, 0.014), (radius, 0.005)]), 40),
        m.painted(rng, (0.8, 0.8, 0.78)),
    )
    for _ in range(rng.integers(2, 6)):
        height = rng.uniform(0.01, 0.04)
        r = radius * rng.uniform(0.85, 1.1)
        edge = smooth_curve(np.array([(r * 0.9, 0), (r, height * 0.5), (r * 0.9, height)]), 10)
        color = from_hsv(rng.uniform(0.02, 0.12), rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.95))
        stage.add(lathe(edge, 32).moved(z=z), m.stone(rng, color))
        z += height * 0.95
    for _ in range(rng.integers(0, 9)):
        r = rng.uniform(0.008, 0.018)
        at = rng.normal(0, radius * 0.4, 2)
        stage.add(ball(r, r, r, 12).moved(at[0], at[1], z + r * 0.6), m.painted(rng))


def mushroom(rng: Rng, stage: Stage) -> None:
    """One to three mushrooms."""
    for _ in range(rng.integers(1, 4)):
        h, r = rng.uniform(0.06, 0.14), rng.uniform(0.03, 0.07)
        cap = np.array([(0.004, 1), (0.5, 0.95), (0.9, 0.6), (1, 0.2), (0.85, 0.15), (0.2, 0.3)]) * (
            r,
            r * rng.uniform(0.6, 1.1),
        )
        parts = [
            stage.add(
                lathe(cap).moved(z=h - r * 0.2),
                m.fur(rng, from_hsv(rng.uniform(0, 0.12), rng.uniform(0.2, 0.9), rng.uniform(0.3, 0.9))),
            ),
            stage.add(
                lathe(smooth_curve(np.array([(0.3, 0), (0.2, 0.5), (0.22, 1)]), 8) * (r, h)),
                m.stone(rng, (0.75, 0.7, 0.6)),
            ),
        ]
        stage.put(parts, (*rng.normal(0, 0.06, 2), 0), rng.uniform(0, 6))
