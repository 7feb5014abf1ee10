"""Drawn people: head-and-shoulders portraits and whole articulated figures."""

from __future__ import annotations

import numpy as np

from drawing.cutout import Cutout, capsule, wobble
from drawing.skin_tones import draw_skin, light

Vector = np.ndarray


def portrait(c: Cutout) -> None:
    """Head and shoulders. The trunk extends beyond the lower edge of the frame."""
    rng = c.rng
    head = np.array([rng.normal(0.5, 0.1), rng.uniform(0.28, 0.48)])
    ry = rng.uniform(0.1, 0.24)
    rx = ry * rng.uniform(0.68, 0.85)
    tone, hair = _skin(c), _hair(c)
    long_hair = rng.random() < 0.5
    if long_hair:
        c.part(
            wobble(rng, head + [0, ry * 0.3], rx * rng.uniform(1.2, 1.7), ry * rng.uniform(1.1, 1.8), 0.06),
            hair,
        )
    shoulder = head[1] + ry * rng.uniform(1.35, 1.7)
    half = rx * rng.uniform(1.9, 3.0)
    trunk = _trunk(rng, head[0] + rng.normal(0, 0.03), shoulder, half)
    c.part(
        capsule(head + [0, ry * 0.5], np.array([head[0], shoulder + ry * 0.25]), rx * 0.55, rx * 0.62),
        tone,
        skin=True,
    )
    c.part(trunk)
    for _ in range(rng.integers(0, 4)):  # collar, lapels, badges, straps
        at = np.array([head[0] + rng.normal(0, half * 0.4), rng.uniform(shoulder, 1.0)])
        c.part(wobble(rng, at, rng.uniform(0.01, 0.12), rng.uniform(0.01, 0.15), 0.2))
    if rng.random() < 0.6:  # open collar
        c.part(
            np.array(
                [
                    head + [-rx * 0.5, ry * 1.1],
                    head + [rx * 0.5, ry * 1.1],
                    [head[0], shoulder + ry * rng.uniform(0.2, 0.8)],
                ]
            ),
            tone,
            skin=True,
        )
    draw_head(c, head, rx, ry, tone, hair)


def figure(c: Cutout) -> None:
    """A whole or three-quarter figure: trunk, four limbs with two bones each, and head."""
    rng = c.rng
    height = rng.uniform(0.5, 1.15)
    unit = height / 7.5  # a figure is seven and a half head heights tall
    hips = np.array([rng.normal(0.5, 0.08), 0.5 + rng.normal(0, 0.06)])
    lean = rng.normal(0, 0.25)
    neck = hips + 2.6 * unit * np.array([np.sin(lean), -np.cos(lean)])
    tone, hair = _skin(c), _hair(c)
    top, legs = _cloth(c), _cloth(c)
    sleeves = rng.random() < 0.6
    for side in (-1, 1):
        _limb(
            c,
            neck + [side * unit * 0.8, unit * 0.3],
            1.5 * unit,
            0.32 * unit,
            np.pi / 2 + rng.normal(0, 0.7),
            top if sleeves else tone,
            tone,
        )
    dress = rng.random() < 0.25
    for side in (-1, 1):
        _limb(
            c,
            hips + [side * unit * 0.4, 0],
            1.9 * unit,
            0.45 * unit,
            np.pi / 2 + rng.normal(0, 0.3),
            tone if dress else legs,
            legs,
        )
    across = np.array([np.cos(lean), np.sin(lean)])
    wide, waist = unit * rng.uniform(0.8, 1.15), unit * rng.uniform(0.55, 0.9)
    c.part(
        np.array([neck - across * wide, neck + across * wide, hips + across * waist, hips - across * waist]),
        top,
    )
    if dress:
        hem = hips + [0, unit * rng.uniform(0.8, 2.2)]
        c.part(
            np.array(
                [
                    hips - across * waist,
                    hips + across * waist,
                    hem + across * unit * 1.3,
                    hem - across * unit * 1.3,
                ]
            ),
            top,
        )
    head = neck + unit * 0.75 * np.array([np.sin(lean * 1.5), -np.cos(lean * 1.5)])
    c.part(capsule(neck, head, unit * 0.25, unit * 0.25), tone, skin=True)
    draw_head(c, head, unit * 0.4, unit * 0.52, tone, hair)


def draw_head(c: Cutout, at: Vector, rx: float, ry: float, tone: Vector, hair: Vector) -> None:
    """A face with eyes, brows, nose, and mouth, and with hair or a hat."""
    rng = c.rng
    if rng.random() < 0.8:
        c.part(
            wobble(rng, at - [0, ry * 0.25], rx * rng.uniform(1.02, 1.3), ry * rng.uniform(0.95, 1.15), 0.04),
            hair,
        )
    c.part(wobble(rng, at, rx, ry, 0.015), tone, skin=True, roundness=0.8)
    turn = rng.normal(0, 0.15) * rx
    for side in (-1, 1):
        eye = at + [side * rx * 0.42 + turn, -ry * 0.1]
        c.part(wobble(rng, eye, rx * 0.2, ry * 0.07, 0.05), np.full(3, rng.uniform(0.6, 0.95)))
        c.part(wobble(rng, eye, rx * 0.08, ry * 0.07, 0.05), np.full(3, 0.1))
        c.part(
            capsule(eye + [-rx * 0.2, -ry * 0.15], eye + [rx * 0.2, -ry * 0.17], ry * 0.03, ry * 0.025), hair
        )
    nose = at + [turn * 1.4, ry * 0.22]
    c.part(wobble(rng, nose, rx * 0.14, ry * 0.09, 0.05), tone * 0.88, skin=True)
    lips = tone * [1.0, 0.62, 0.65]
    c.part(
        wobble(rng, at + [turn, ry * 0.52], rx * rng.uniform(0.25, 0.42), ry * rng.uniform(0.05, 0.11), 0.05),
        lips,
    )
    if rng.random() < 0.25:  # beard
        t = np.linspace(0, np.pi, 20)
        c.part(at + np.stack([np.cos(t) * rx, ry * 0.25 + np.sin(t) * ry * 0.85], 1), hair)
    crown = rng.random()
    if crown < 0.75:
        t = np.linspace(np.pi * 1.0, np.pi * 2.0, 20)
        cap = np.stack([np.cos(t) * rx * 1.06, np.sin(t) * ry * 1.08], 1)
        c.part(
            at
            + np.concatenate(
                [cap, [[rx * 0.7, -ry * rng.uniform(0.35, 0.7)], [-rx * 0.7, -ry * rng.uniform(0.35, 0.7)]]]
            ),
            hair if crown < 0.6 else None,
        )


def _limb(
    c: Cutout, start: Vector, length: float, radius: float, angle: float, upper: Vector, lower: Vector
) -> None:
    rng = c.rng
    middle = start + length * np.array([np.cos(angle), np.sin(angle)])
    bend = angle + rng.normal(0, 0.5)
    end = middle + length * np.array([np.cos(bend), np.sin(bend)])
    c.part(capsule(start, middle, radius, radius * 0.8), upper)
    c.part(capsule(middle, end, radius * 0.8, radius * 0.55), lower if rng.random() < 0.5 else upper)
    c.part(wobble(rng, end, radius * 0.7, radius * 0.6, 0.1), lower)


def _trunk(rng: np.random.Generator, x: float, shoulder: float, half: float) -> Vector:
    t = np.linspace(-1, 1, 20)
    line = shoulder + half * 0.55 * np.abs(t) ** rng.uniform(2, 4)
    upper = np.stack([x + t * half, line], 1)
    return np.concatenate(
        [upper, [[x + half * rng.uniform(0.8, 1.2), 1.05], [x - half * rng.uniform(0.8, 1.2), 1.05]]]
    )


def _skin(c: Cutout) -> Vector:
    return light(c.rng, draw_skin(c.rng, 1))[0]


def _hair(c: Cutout) -> Vector:
    base = np.array([0.35, 0.24, 0.16]) * np.exp(c.rng.normal(-0.5, 0.7))
    return np.clip(base + c.rng.normal(0, 0.03, 3), 0.02, 0.9)


def _cloth(c: Cutout) -> Vector:
    return c.palette.color()
