"""Plants by L-systems (Prusinkiewicz, Lindenmayer 1990), flowers and potted leaves, in meters."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import (
    Solid,
    ball,
    box,
    lathe,
    merged,
    rotation,
    smooth_curve,
    tube,
)
from stage import Stage
from surfaces.colors import from_hsv, varied

Rng = np.random.Generator


RULES = (
    ("X", {"X": "F[+X][-X]FX", "F": "FF"}, 5),
    ("X", {"X": "F[+X]F[-X][&X]+X", "F": "FF"}, 4),
    ("X", {"X": "F[&+X][^-X][/X]X", "F": "F"}, 6),
    ("X", {"X": "F-[[X]+X]+F[+F&X]-X", "F": "FF"}, 4),
)


MAX_LEAVES = 2500


def blade(length: float, width: float, bend: float) -> Solid:
    """A leaf along Z, bent toward -Y."""
    t = np.linspace(0, 1, 5)
    half = width / 2 * np.sin(np.pi * (0.08 + 0.92 * t)) ** 0.8
    y, z = -bend * length * t**2, length * t * (1 - 0.3 * bend * t)
    rows = [
        np.array([(-h, b, c), (0, b + h * 0.25, c), (h, b, c)]) for h, b, c in zip(half, y, z, strict=True)
    ]
    points = np.concatenate(rows)
    faces = [(r * 3 + c, r * 3 + c + 1, r * 3 + c + 4, r * 3 + c + 3) for r in range(4) for c in range(2)]
    return Solid(points, faces)


def grown(rng: Rng, height: float) -> tuple[Solid, np.ndarray, np.ndarray]:
    """Branches of a plant of this height, and the positions [N,3] and directions [N,3] of its leaves."""
    text, rules, rounds = RULES[rng.integers(len(RULES))]
    for _ in range(rounds):
        text = "".join(rules.get(letter, letter) for letter in text)
    spread = rng.uniform(0.3, 0.65)
    at, turn, level = np.zeros(3), np.eye(3), 0
    stack, segments, leaves = [], [], []
    for letter in text:
        if letter == "F":
            turn = turn @ rotation("x", rng.normal(0, 0.06)) @ rotation("y", rng.normal(0, 0.06))
            end = at + turn[:, 2]
            segments.append((at, end, level))
            at = end
        elif letter in "+-&^/":
            axis, sign = {"+": ("x", 1), "-": ("x", -1), "&": ("y", 1), "^": ("y", -1), "/": ("z", 1)}[letter]
            turn = (
                turn
                @ rotation("z", rng.uniform(0.6, 2.4))
                @ rotation(axis, sign * spread * rng.uniform(0.6, 1.3))
            )
        elif letter == "[":
            stack.append((at, turn, level))
            level += 1
        elif letter == "]":
            leaves.append((at, turn[:, 2]))
            at, turn, level = stack.pop()
    points = np.array([end for _, end, _ in segments])
    scale = height / (points[:, 2].max() + 1e-6)
    thick = height * rng.uniform(0.008, 0.025)
    bark = merged([tube(np.array([a, b]) * scale, thick * 0.62**k, 5) for a, b, k in segments[:4000]])
    places, ways = (np.array(column) for column in zip(*leaves, strict=True))
    return bark, places * scale, ways


def foliage(rng: Rng, places: np.ndarray, ways: np.ndarray, length: float, each: int) -> Solid:
    """Leaves scattered around positions, `each` for every position."""
    leaf = blade(length, length * rng.uniform(0.25, 0.7), rng.uniform(0.1, 0.6))
    keep = np.repeat(rng.permutation(len(places))[: MAX_LEAVES // each], each)
    count, corners = len(keep), len(leaf.vertices)
    z = _units(ways[keep] + rng.normal(0, 0.6, (count, 3)))
    x = _units(np.cross(z, rng.normal(size=(count, 3))))
    turned = np.einsum("vi,nij->nvj", leaf.vertices, np.stack([x, np.cross(z, x), z], 1))
    roots = places[keep] + rng.normal(0, length * 0.3, (count, 3))
    points = roots[:, None] + turned * rng.uniform(0.6, 1.2, (count, 1, 1))
    faces = np.array(leaf.faces)[None] + corners * np.arange(count)[:, None, None]
    return Solid(points.reshape(-1, 3), [tuple(f) for f in faces.reshape(-1, faces.shape[2]).tolist()])


def _units(ways: np.ndarray) -> np.ndarray:
    return ways / np.linalg.norm(ways, axis=1, keepdims=True)


def tree(rng: Rng, stage: Stage) -> None:
    """A tree with or without leaves."""
    height = rng.uniform(2.5, 7)
    bark, places, ways = grown(rng, height)
    trunk = tube(np.array([(0, 0, -0.2), (0, 0, height * 0.12)]), height * 0.025)
    stage.add(bark + trunk, m.wood(rng, varied(rng, (0.12, 0.08, 0.05))))
    if rng.random() < 0.9:
        stage.add(foliage(rng, places, ways, height * rng.uniform(0.03, 0.06), 4), m.leaf(rng), smooth=None)


def bush(rng: Rng, stage: Stage) -> None:
    """A herb or a bush, in a pot or in the ground."""
    height = rng.uniform(0.3, 1.2)
    lift = 0.0
    if rng.random() < 0.6:
        lift = pot(rng, stage, height * rng.uniform(0.25, 0.4))
    bark, places, ways = grown(rng, height)
    stage.add(bark.moved(z=lift), m.plain(from_hsv(rng.uniform(0.1, 0.3), 0.5, rng.uniform(0.2, 0.5)), 0.8))
    stage.add(
        foliage(rng, places, ways, height * rng.uniform(0.06, 0.14), 2).moved(z=lift),
        m.leaf(rng),
        smooth=None,
    )
    if rng.random() < 0.4:
        petals = foliage(rng, places, ways, height * 0.05, 3)
        color = from_hsv(rng.random(), rng.uniform(0.1, 0.9), rng.uniform(0.6, 1))
        stage.add(petals.moved(z=lift), m.plain(color, 0.6), smooth=None)


def pot(rng: Rng, stage: Stage, height: float) -> float:
    """A pot. Returns the height of the soil in it."""
    r = height * rng.uniform(0.4, 0.65)
    wall = np.array(
        [(r * 0.7, 0), (r, height), (r * 1.08, height), (r * 0.95, height * 0.92), (r * 0.9, height * 0.85)]
    )
    stage.add(
        lathe(wall, 36),
        m.stone(rng, varied(rng, (0.35, 0.13, 0.06))) if rng.random() < 0.5 else m.painted(rng),
    )
    stage.add(lathe(np.array([(r * 0.94, 0), (r * 0.94, 0.005)])).moved(z=height * 0.86), m.ground(rng))
    return height * 0.85


def rosette(rng: Rng, stage: Stage) -> None:
    """A potted plant of long leaves: agave, fern, palm."""
    height = rng.uniform(0.2, 0.9)
    lift = pot(rng, stage, height * rng.uniform(0.25, 0.5))
    count, slim, bend = rng.integers(10, 40), rng.uniform(0.06, 0.3), rng.uniform(0.1, 1.0)
    made = []
    for _ in range(count):
        leaf = blade(height * rng.uniform(0.6, 1.1), height * slim, bend * rng.uniform(0.6, 1.3))
        made.append(leaf.turned("x", rng.uniform(0.05, 0.9)).turned("z", rng.uniform(0, 6.3)))
    stage.add(merged(made).moved(z=lift), m.leaf(rng), rounds=1)


def flower(rng: Rng, stage: Stage) -> None:
    """One or several blossoms on stems, large in the picture."""
    height = rng.uniform(0.2, 0.5)
    green, petal_color = m.leaf(rng), from_hsv(rng.random(), rng.uniform(0.1, 0.95), rng.uniform(0.6, 1))
    petals, heart = (
        m.fur(rng, petal_color),
        m.stone(rng, from_hsv(rng.uniform(0.03, 0.16), 0.8, rng.uniform(0.2, 0.9))),
    )
    count, slim, open_, layers = (
        rng.integers(5, 22),
        rng.uniform(0.15, 0.7),
        rng.uniform(0.3, 1.5),
        rng.integers(1, 4),
    )
    size = height * rng.uniform(0.15, 0.4)
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        top = np.array([*rng.normal(0, height * 0.25, 2), height * rng.uniform(0.8, 1.2)])
        path = smooth_curve(np.array([(0, 0, 0), top * (0.4, 0.4, 0.5), top]), 10)
        stem = [tube(path, height * 0.012, 6)]
        stem += [
            blade(height * 0.4, height * 0.1, 0.5).turned("x", 0.7).turned("z", a).moved(*path[4])
            for a in rng.uniform(0, 6.3, 2)
        ]
        stage.add(merged(stem), green)
        tilt = rotation("z", rng.uniform(-0.8, 0.8)) @ rotation("x", rng.uniform(0.2, 1.4))
        made = []
        for layer in range(layers):
            for a in np.linspace(0, 2 * np.pi, count, endpoint=False):
                leaf = blade(size * (1 - 0.2 * layer), size * slim, rng.uniform(0.1, 0.4)).turned(
                    "x", open_ * (1 - 0.3 * layer)
                )
                made.append(leaf.turned("z", a + layer * 0.4 + rng.normal(0, 0.05)))
        blossom = merged(made)
        stage.add(Solid(blossom.vertices @ tilt.T + top, blossom.faces), petals, rounds=1)
        disk = ball(size * 0.22, size * 0.22, size * 0.1, 16)
        stage.add(Solid(disk.vertices @ tilt.T + top, disk.faces), heart)
    if rng.random() < 0.3:
        stage.add(
            lathe(
                smooth_curve(np.array([(0.4, 0), (0.5, 0.3), (0.3, 0.8), (0.4, 1)]), 20)
                * (height * 0.35, height * 0.6)
            ),
            m.glass(rng),
        )


def stump(rng: Rng, stage: Stage) -> None:
    """A rock or a log."""
    size = rng.uniform(0.3, 1.5)
    stage.add(rock(rng, size), m.stone(rng), smooth=0.9)
    if rng.random() < 0.4:
        stage.add(box(size * 1.5, size * 0.2, size * 0.2).moved(z=size * 0.1), m.wood(rng), bevel=0.05)


def rock(rng: Rng, size: float) -> Solid:
    """A lumpy ball."""
    shape = ball(1, 1, 1, 20)
    v = shape.vertices
    bumps = sum(rng.normal(0, 0.12) * np.sin(v @ rng.normal(0, 2.5, 3) + rng.uniform(0, 6)) for _ in range(9))
    squash = size / 2 * np.array([rng.uniform(0.7, 1.3), rng.uniform(0.7, 1.3), rng.uniform(0.5, 0.9)])
    return Solid(v * (1 + bumps)[:, None] * squash, shape.faces).moved(z=size * 0.2)
