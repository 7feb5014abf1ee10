"""People in bulky clothes and helmets: pale subjects on pale backgrounds, with visors and gear."""

from __future__ import annotations

import numpy as np

from drawing.cutout import Cutout, capsule, wobble
from drawing.people import draw_head
from drawing.skin_tones import draw_skin, light

Vector = np.ndarray


def suited(c: Cutout) -> None:
    """Half figure in a suit, with the helmet on the head or in front of the chest."""
    rng = c.rng
    suit = np.full(3, rng.uniform(0.7, 1)) if rng.random() < 0.4 else c.palette.color()
    head = np.array([rng.normal(0.5, 0.06), rng.uniform(0.2, 0.42)])
    ry = rng.uniform(0.09, 0.17)
    rx = ry * rng.uniform(0.7, 0.85)
    shoulder, half = head[1] + ry * 1.7, rx * rng.uniform(2.2, 3.4)
    for side in (-1, 1):
        elbow = np.array([head[0] + side * half * rng.uniform(1, 1.3), shoulder + rng.uniform(0.2, 0.45)])
        hand = np.array([head[0] + side * half * rng.uniform(0, 1.2), rng.uniform(shoulder + 0.1, 1.1)])
        c.part(capsule(np.array([head[0] + side * half * 0.8, shoulder]), elbow, ry * 0.6, ry * 0.5), suit)
        c.part(capsule(elbow, hand, ry * 0.5, ry * 0.4), suit)
    trunk = [[-0.8, 0], [-1, 0.15], [-0.9, 1.2], [0.9, 1.2], [1, 0.15], [0.8, 0], [0.3, -0.08], [-0.3, -0.08]]
    c.part(np.array([head[0], shoulder]) + np.array(trunk) * [half, 1], suit)
    for _ in range(rng.integers(2, 9)):  # pockets, tubes, flags, straps
        at = np.array([head[0] + rng.normal(0, half * 0.5), rng.uniform(shoulder, 1.0)])
        c.part(wobble(rng, at, rng.uniform(0.01, 0.08), rng.uniform(0.01, 0.08), 0.2))
    c.part(capsule(head + [0, ry], head + [0, ry * 1.6], rx * 1.1, rx * 1.2), np.full(3, rng.uniform(0.3, 1)))
    tone = light(rng, draw_skin(rng, 1))[0]
    hair = np.array([0.3, 0.2, 0.12]) * rng.uniform(0.3, 2)
    if rng.random() < 0.55:
        draw_head(c, head, rx, ry, tone, hair)
        if rng.random() < 0.6:  # the helmet is carried
            _helmet(c, np.array([head[0] + rng.normal(0, half * 0.7), rng.uniform(0.7, 0.95)]), ry * 1.3)
    else:
        _helmet(c, head, ry * 1.4)


def _helmet(c: Cutout, at: Vector, radius: float) -> None:
    rng = c.rng
    shell = np.full(3, rng.uniform(0.75, 1)) if rng.random() < 0.6 else c.palette.color()
    c.part(wobble(rng, at, radius * 0.95, radius, 0.02), shell, roundness=0.9)
    visor = rng.choice(
        [np.full(3, rng.uniform(0.03, 0.2)), np.array([0.7, 0.8, 0.9]), np.array([0.8, 0.6, 0.2])]
    )
    c.part(
        wobble(rng, at + [rng.normal(0, 0.1) * radius, radius * 0.1], radius * 0.7, radius * 0.6, 0.03), visor
    )
    c.part(wobble(rng, at - radius * 0.3, radius * 0.2, radius * 0.1, 0.1), np.full(3, rng.uniform(0.8, 1)))
