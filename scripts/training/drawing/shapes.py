"""Outlines and strokes, rasterized into small masks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

Rng = np.random.Generator


@dataclass(frozen=True)
class Stamp:
    """A mask, and the position of its top left corner on the canvas."""

    mask: np.ndarray
    top: int
    left: int


def ellipse(rng: Rng) -> np.ndarray:
    """Unit ellipse outline, [K,2] as (x, y)."""
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return np.stack([np.cos(t), np.sin(t) * rng.uniform(0.3, 1)], 1)


def polygon(rng: Rng) -> np.ndarray:
    """Irregular polygon of 3 to 8 corners."""
    t = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 9)))
    return np.stack([np.cos(t), np.sin(t)], 1) * rng.uniform(0.5, 1, (len(t), 1))


def rectangle(rng: Rng) -> np.ndarray:
    """Rectangle, square to bar."""
    a = np.exp(rng.uniform(-3, 0))
    return np.array([[-1, -a], [1, -a], [1, a], [-1, a]])


def star(rng: Rng) -> np.ndarray:
    """Star or burr: sharp corners inward and outward."""
    points = rng.integers(4, 14)
    t = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False)
    r = np.where(np.arange(2 * points) % 2, rng.uniform(0.25, 0.8), 1.0)
    return np.stack([np.cos(t) * r, np.sin(t) * r], 1)


def blob(rng: Rng) -> np.ndarray:
    """Smooth closed curve with Fourier radii: leaf, stone, or animal-like outlines."""
    t = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    r = np.ones_like(t)
    for k in range(2, rng.integers(4, 10)):
        r += rng.normal(0, 0.45 / k) * np.cos(k * t + rng.uniform(0, 2 * np.pi))
    r = np.clip(r, 0.15, 1.6) / 1.6
    return np.stack([np.cos(t) * r, np.sin(t) * r * rng.uniform(0.35, 1)], 1)


def ribbon(rng: Rng) -> np.ndarray:
    """Curved stroke of varying width: branch, cable, limb, or part of a letter."""
    t = np.linspace(-1, 1, 24)
    curve = np.polynomial.Polynomial(rng.normal(0, [0.1, 0.3, 0.5, 0.3]))(t)
    width = rng.uniform(0.01, 0.18) * (1 + rng.uniform(-0.9, 0.9) * t)
    upper = np.stack([t, curve + width], 1)
    lower = np.stack([t, curve - width], 1)
    return np.concatenate([upper, lower[::-1]])


OUTLINES: tuple[Callable[[Rng], np.ndarray], ...] = (
    ellipse,
    ellipse,
    polygon,
    polygon,
    rectangle,
    rectangle,
    star,
    blob,
    blob,
    ribbon,
    ribbon,
)


def stamp(rng: Rng, outline: np.ndarray, center: np.ndarray, radius: float, size: int) -> Stamp | None:
    """Rotate, scale, and rasterize `outline`; None when it does not overlap the canvas of `size`²."""
    angle = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.3:
        angle = rng.integers(4) * np.pi / 2
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return raster(outline @ turn * radius + center, size)


def raster(points: np.ndarray, size: int) -> Stamp | None:
    """Fill the closed outline `points` ([K,2] as (x, y), pixels)."""
    low = np.clip(np.floor(points.min(0)).astype(int), 0, size)
    high = np.clip(np.ceil(points.max(0)).astype(int) + 1, 0, size)
    if (high <= low).any():
        return None
    width, height = (int(v) for v in high - low)
    canvas = Image.new("L", (width, height))
    ImageDraw.Draw(canvas).polygon([tuple(p) for p in (points - low).tolist()], fill=255)
    return Stamp(np.asarray(canvas) > 0, int(low[1]), int(low[0]))
