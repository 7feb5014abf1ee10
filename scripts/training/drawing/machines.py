"""Drawn vehicles and buildings. Their pale panes, dark wheels, and white hulls belong to the subject."""

from __future__ import annotations

import numpy as np

from drawing.cutout import Cutout, capsule, wobble

Vector = np.ndarray


def machine(c: Cutout) -> None:
    """A car, boat, airplane, rocket, or tower."""
    kinds = (_car, _boat, _plane, _rocket, _tower)
    kinds[c.rng.integers(len(kinds))](c)


def _paint(c: Cutout) -> Vector:
    """A paint: often white or nearly black, otherwise from the palette."""
    kind = c.rng.random()
    if kind < 0.35:
        return np.full(3, c.rng.uniform(0.75, 1.0)) * c.rng.uniform(0.93, 1, 3)
    return np.full(3, c.rng.uniform(0.03, 0.15)) if kind < 0.45 else c.palette.color()


def _pane(c: Cutout) -> Vector:
    """Glass: dark, or as bright as a reflected sky."""
    tint = np.array([0.85, 0.95, 1.0])
    return tint * (c.rng.uniform(0.6, 1.0) if c.rng.random() < 0.5 else c.rng.uniform(0.05, 0.3))


def _car(c: Cutout) -> None:
    rng, paint = c.rng, _paint(c)
    at = np.array([rng.normal(0.5, 0.06), rng.normal(0.6, 0.07)])
    half, tall = rng.uniform(0.2, 0.4), rng.uniform(0.06, 0.11)
    roof = np.array([[-0.65, 0], [-0.4, -1.1], [0.3, -1.1], [0.7, 0]]) * [half * rng.uniform(0.7, 1), tall]
    c.part(at + [0, -tall] + roof, paint)
    c.part(at + [0, -tall] + roof * [0.85, 0.8] - [0, tall * 0.1], _pane(c), roundness=0.1)
    body = np.array([[-1, 0.9], [-1, -0.3], [-0.8, -1], [0.85, -1], [1, 0], [1, 0.9]])
    c.part(at + body * [half, tall], paint)
    for x in (-0.62, 0.6):
        wheel = at + [x * half, tall * 0.9]
        c.part(wobble(rng, wheel, tall * 0.75, tall * 0.75, 0.01), np.full(3, 0.07))
        c.part(wobble(rng, wheel, tall * 0.4, tall * 0.4, 0.01), np.full(3, rng.uniform(0.4, 0.95)))


def _boat(c: Cutout) -> None:
    rng = c.rng
    at = np.array([rng.normal(0.5, 0.06), rng.uniform(0.6, 0.8)])
    half, tall = rng.uniform(0.15, 0.35), rng.uniform(0.03, 0.09)
    if rng.random() < 0.7:
        top = at[1] - rng.uniform(0.25, 0.6)
        mast = at[0] + rng.normal(0, 0.05)
        c.part(capsule(np.array([mast, at[1]]), np.array([mast, top]), 0.008, 0.005), np.full(3, 0.3))
        sail = _paint(c)
        for side in (-1, 1)[: rng.integers(1, 3)]:
            reach = side * half * rng.uniform(0.5, 0.95)
            foot = at[1] - tall * 1.2
            c.part(np.array([[mast, top], [mast + reach, foot], [mast + side * 0.01, foot]]), sail)
    else:
        cabin = np.array([[-0.5, 0], [-0.4, -2], [0.2, -2], [0.4, 0]]) * [half, tall]
        c.part(at + cabin, _paint(c))
        c.part(at + cabin * 0.6 - [0, tall * 0.5], _pane(c))
    hull = np.array([[-1, -0.6], [1, -1], [0.75, 1], [-0.8, 1]]) * [half, tall]
    c.part(at + hull, _paint(c))


def _plane(c: Cutout) -> None:
    rng, paint = c.rng, _paint(c)
    at, angle = rng.normal([0.5, 0.45], 0.07), rng.normal(0, 0.3)
    long = rng.uniform(0.2, 0.42)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    thick = long * rng.uniform(0.1, 0.18)

    def place(points: list[list[float]]) -> Vector:
        return at + (np.array(points) * long) @ turn

    for side in (-1, 1):
        sweep, span = rng.uniform(0.1, 0.5), side * rng.uniform(0.3, 0.9)
        c.part(place([[0.25, 0], [-0.1 - sweep, span], [-0.25 - sweep, span], [-0.25, 0]]), paint)
    c.part(place([[-0.7, 0], [-1.05, -0.35], [-1.15, -0.35], [-1, 0]]), _paint(c))
    nose, tail = place([[1, 0], [-1, 0]])
    c.part(capsule(tail, nose, thick * 0.4, thick), paint, roundness=0.9)
    c.part(wobble(rng, place([[0.85, -0.06]])[0], thick * 0.6, thick * 0.35, 0.02), _pane(c))


def _rocket(c: Cutout) -> None:
    rng = c.rng
    white, dark = np.full(3, rng.uniform(0.8, 1)), np.full(3, rng.uniform(0.05, 0.25))
    foot = np.array([rng.normal(0.5, 0.08), rng.uniform(0.75, 0.95)])
    lean = rng.normal(0, 0.08)
    top = foot + [lean, -rng.uniform(0.4, 0.75)]
    wide = rng.uniform(0.04, 0.11)
    tank = np.array([0.75, 0.4, 0.2]) * rng.uniform(0.5, 1.2) if rng.random() < 0.5 else white
    c.part(capsule(foot, top, wide, wide), tank, roundness=0.9)
    for side in (-1, 1)[: rng.integers(0, 3)]:
        shift = np.array([side * wide * 1.4, 0.02])
        c.part(capsule(foot + shift, foot + (top - foot) * 0.7 + shift, wide * 0.45, wide * 0.4), white)
    c.part(np.array([top + [-wide, 0], top + [0, -wide * 2.5], top + [wide, 0]]), rng.choice([white, tank]))
    wing = foot + (top - foot) * 0.25
    c.part(np.array([wing, foot + [-wide * 2.6, 0.02], foot + [wide * 2.6, 0.02]]), white)
    c.part(capsule(foot, wing + (top - foot) * 0.4, wide * 0.8, wide * 0.6), white, roundness=0.8)
    for _ in range(rng.integers(1, 6)):  # tiles, flags, windows
        at = foot + (top - foot) * rng.uniform(0, 0.8) + rng.normal(0, wide * 0.4, 2)
        c.part(wobble(rng, at, wide * rng.uniform(0.1, 0.5), wide * rng.uniform(0.1, 0.5), 0.1), dark)


def _tower(c: Cutout) -> None:
    """A house, church, or lighthouse: walls with rows of panes, and a roof."""
    rng, wall = c.rng, _paint(c)
    x, half = rng.normal(0.5, 0.08), rng.uniform(0.07, 0.28)
    top, foot = rng.uniform(0.25, 0.5), rng.uniform(0.8, 1.05)
    inset = half * rng.uniform(0, 0.3)
    c.part(
        np.array([[x - half, foot], [x - half + inset, top], [x + half - inset, top], [x + half, foot]]), wall
    )
    peak = top - rng.uniform(0.0, 0.25)
    eaves = (half - inset) * rng.uniform(1, 1.2)
    c.part(np.array([[x - eaves, top], [x, peak], [x + eaves, top]]), c.palette.color())
    pane, columns, rows = _pane(c), rng.integers(1, 5), rng.integers(1, 6)
    for row in range(rows):
        for column in range(columns):
            at = [
                x + ((column + 0.5) / columns - 0.5) * 1.5 * (half - inset),
                top + (row + 0.5) / rows * (foot - top),
            ]
            size = np.array([half / columns * 0.4, (foot - top) / rows * 0.25])
            c.part(np.array(at) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size, pane, roundness=0)
