"""Bottles, vases, cups, pans and clocks, standing on z = 0 around the origin, in meters."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import (
    box,
    lathe,
    merged,
    ring,
    rod,
    smooth_curve,
)
from stage import Stage
from surfaces.colors import varied

Rng = np.random.Generator


def bottle(rng: Rng, stage: Stage) -> None:
    """A bottle of glass or plastic, with a label and a lid."""
    height, radius, neck = rng.uniform(0.15, 0.35), rng.uniform(0.03, 0.06), rng.uniform(0.012, 0.02)
    shoulder = rng.uniform(0.5, 0.8)
    knots = [
        (0.9, 0),
        (1, 0.02),
        (rng.uniform(0.85, 1), shoulder * 0.6),
        (1, shoulder),
        (neck / radius, shoulder + 0.15),
    ]
    profile = smooth_curve(np.array([*knots, (neck / radius, 0.95)]), 24) * (radius, height)
    body = lathe(profile)
    is_glass = rng.random() < 0.5
    stage.add(body, m.glass(rng) if is_glass else m.painted(rng))
    if is_glass and rng.random() < 0.6:
        filled = lathe(profile[:14] * (0.93, 1) + (0, 0.004))
        stage.add(filled, m.painted(rng))
    if rng.random() < 0.75:
        low, high = 0.1 * height, shoulder * 0.9 * height
        inside = (profile[:, 1] > low) & (profile[:, 1] < high)
        if inside.sum() > 1:
            stage.add(lathe(profile[inside] * (1.01, 1)), m.print_on(rng))
    lid = lathe(np.array([(neck * 1.25, 0), (neck * 1.25, 0.02), (neck * 1.1, 0.025)])).moved(z=height * 0.93)
    stage.add(lid, m.painted(rng) if rng.random() < 0.6 else m.metal(rng))


def vase(rng: Rng, stage: Stage) -> None:
    """Any lathed shape."""
    height, radius = rng.uniform(0.12, 0.5), rng.uniform(0.05, 0.2)
    knots = np.stack([rng.uniform(0.25, 1, 6), np.linspace(0, 1, 6)], 1)
    outside = smooth_curve(knots, 30) * (radius, height)
    inside = (outside - (min(0.006, radius * 0.1), 0))[::-1][:-3]
    shape = lathe(np.maximum(np.concatenate([outside, inside]), (0.002, 0)), 36)
    surface = [m.painted, m.stone, m.metal, m.glass, m.wood, m.print_on][rng.integers(6)]
    stage.add(shape, surface(rng))


def cup(rng: Rng, stage: Stage) -> None:
    """A mug or a pot with a handle."""
    height, radius = rng.uniform(0.07, 0.14), rng.uniform(0.035, 0.08)
    flare = rng.uniform(0.7, 1.15)
    wall = np.array(
        [(radius * flare * 0.9, 0), (radius * flare, 0.004), (radius, height), (radius * 0.94, height)]
    )
    inside = np.array([(radius * flare * 0.92, 0.008)])
    surface = m.metal(rng) if rng.random() < 0.2 else m.painted(rng)
    stage.add(lathe(np.concatenate([wall, inside]), 40), surface)
    r = height * rng.uniform(0.25, 0.38)
    handle = ring(r, radius * 0.1).moved(x=radius * 1.02, z=height * 0.5)
    stage.add(handle, surface)
    stage.add(
        lathe(np.array([(radius * 0.95, 0), (radius * 0.95, 0.001)])).moved(z=height * 0.85),
        m.plain((0.05, 0.02, 0.01), 0.1),
    )


def pan(rng: Rng, stage: Stage) -> None:
    """A pan, a spoon or a racket: a disk on a stick."""
    radius, stick = rng.uniform(0.1, 0.16), rng.uniform(0.15, 0.3)
    rim = np.array([(radius * 0.8, 0), (radius, 0.05), (radius * 0.96, 0.05), (radius * 0.77, 0.005)])
    handle = rod((radius * 0.95, 0, 0.045), (radius + stick, 0, 0.06), 0.012)
    stage.add(lathe(rim, 40), m.metal(rng))
    stage.add(handle, m.wood(rng) if rng.random() < 0.4 else m.painted(rng, (0.02, 0.02, 0.02)))


def clock(rng: Rng, stage: Stage) -> None:
    """A round face with hands on two feet: an alarm clock, a gauge."""
    r, depth = rng.uniform(0.05, 0.15), rng.uniform(0.03, 0.06)
    shell = lathe(
        np.array([(r, 0), (r * 1.08, depth * 0.3), (r * 1.05, depth), (r * 0.97, depth * 0.9)]), 48
    ).turned("x", np.pi / 2)
    face = lathe(np.array([(r, 0), (r, 0.002)]), 48).turned("x", np.pi / 2).moved(y=-depth * 0.8)
    marks = merged(
        [
            box(r * 0.03, 0.003, r * 0.12).moved(z=r * 0.8).turned("y", a)
            for a in np.linspace(0, 2 * np.pi, 13)[:-1]
        ]
    )
    hands = merged(
        [box(r * 0.04, 0.004, r * length).turned("y", rng.uniform(0, 6.3)) for length in (0.5, 0.75)]
    )
    feet = merged(
        [
            rod((s * r * 0.5, -depth / 2, -r * 0.9), (s * r * 0.7, -depth / 2, -r * 1.2), r * 0.06)
            for s in (-1, 1)
        ]
    )
    case_, dark = (
        (m.metal(rng) if rng.random() < 0.5 else m.painted(rng)),
        m.plain(varied(rng, (0.03, 0.03, 0.03))),
    )
    z = r * 1.2
    stage.add(shell.moved(z=z), case_)
    stage.add(face.moved(z=z), m.plain(varied(rng, (0.8, 0.78, 0.7), 0.1)))
    stage.add(marks.moved(y=-depth * 0.86, z=z), dark)
    stage.add(hands.moved(y=-depth * 0.9, z=z), dark)
    stage.add(feet.moved(z=z), case_)
