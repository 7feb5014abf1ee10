"""Meshes as NumPy arrays, in meters, Z up: boxes, lathed and swept shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Rng = np.random.Generator
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Solid:
    """float [N,3] vertices and faces as tuples of indices."""

    vertices: np.ndarray
    faces: list[tuple[int, ...]]

    def __add__(self, other: Solid) -> Solid:
        shift = len(self.vertices)
        moved = [tuple(i + shift for i in face) for face in other.faces]
        return Solid(np.concatenate([self.vertices, other.vertices]), self.faces + moved)

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> Solid:
        """Translated."""
        return Solid(self.vertices + np.array([x, y, z]), self.faces)

    def scaled(self, x: float, y: float, z: float) -> Solid:
        """Scaled about the origin."""
        return Solid(self.vertices * np.array([x, y, z]), self.faces)

    def turned(self, axis: str, angle: float) -> Solid:
        """Rotated about an axis through the origin, in radians."""
        return Solid(self.vertices @ rotation(axis, angle).T, self.faces)


def merged(parts: Sequence[Solid]) -> Solid:
    """All parts as one mesh."""
    shift, faces = 0, []
    for part in parts:
        faces += [tuple(i + shift for i in face) for face in part.faces]
        shift += len(part.vertices)
    return Solid(np.concatenate([p.vertices for p in parts]), faces)


def rotation(axis: str, angle: float) -> np.ndarray:
    """Rotation matrix [3,3] about "x", "y" or "z"."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def box(x: float, y: float, z: float) -> Solid:
    """Centered in x and y, standing on z = 0."""
    corners = [(sx * x / 2, sy * y / 2, sz * z) for sz in (0, 1) for sy in (-1, 1) for sx in (-1, 1)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6)]
    return Solid(np.array(corners, float), faces)


def plane(x: float, y: float) -> Solid:
    """A rectangle on z = 0."""
    corners = np.array([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], float) / 2
    return Solid(corners, [(0, 1, 2, 3)])


def grid(size: float, cells: int, height: np.ndarray | None = None) -> Solid:
    """A square net of `cells` by `cells`; `height` [cells+1,cells+1] in meters."""
    axis = np.linspace(-size / 2, size / 2, cells + 1)
    y, x = np.meshgrid(axis, axis, indexing="ij")
    z = np.zeros_like(x) if height is None else height
    row = cells + 1
    faces = [
        (r * row + c, r * row + c + 1, (r + 1) * row + c + 1, (r + 1) * row + c)
        for r in range(cells)
        for c in range(cells)
    ]
    return Solid(np.stack([x.ravel(), y.ravel(), z.ravel()], 1), faces)


def lathe(profile: np.ndarray, sides: int = 28) -> Solid:
    """A profile [K,2] of (radius, z), rotated around the Z axis."""
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1)
    rings = [np.concatenate([ring * r, np.full((sides, 1), z)], 1) for r, z in profile]
    return loft(np.stack(rings))


def loft(rings: np.ndarray, closed: bool = True) -> Solid:
    """Rings [K,S,3] joined by quads. `closed`: cap the ends."""
    count, sides = rings.shape[:2]
    faces: list[tuple[int, ...]] = [
        (k * sides + s, k * sides + (s + 1) % sides, (k + 1) * sides + (s + 1) % sides, (k + 1) * sides + s)
        for k in range(count - 1)
        for s in range(sides)
    ]
    if closed:
        faces.append(tuple(range(sides))[::-1])
        faces.append(tuple(range((count - 1) * sides, count * sides)))
    return Solid(rings.reshape(-1, 3), faces)


def tube(path: np.ndarray, radius: float | np.ndarray, sides: int = 10) -> Solid:
    """A round tube along points [K,3]."""
    path = np.asarray(path, float)
    radii = np.broadcast_to(np.asarray(radius, float), len(path))
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-9
    side = _cross(along[0], UP if abs(along[0][2]) < 0.9 else np.array([1.0, 0, 0]))
    rings, angle = [], np.linspace(0, 2 * np.pi, sides, endpoint=False)
    for point, direction, r in zip(path, along, radii, strict=True):
        side = side - direction * (side @ direction)
        side /= np.linalg.norm(side) + 1e-9
        other = _cross(direction, side)
        rings.append(point + r * (np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other))
    return loft(np.stack(rings))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross product of two vectors. np.cross takes ten times as long for a single pair."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rod(a: Sequence[float], b: Sequence[float], radius: float, end: float | None = None) -> Solid:
    """A straight tube from `a` to `b`. `end`: radius at `b`."""
    return tube(np.array([a, b], float), np.array([radius, radius if end is None else end]))


def ball(x: float, y: float, z: float, sides: int = 24) -> Solid:
    """An ellipsoid with these radii around the origin."""
    t = np.linspace(-np.pi / 2, np.pi / 2, sides // 2 + 1)
    profile = np.stack([np.maximum(np.cos(t), 1e-3), np.sin(t)], 1)
    return lathe(profile, sides).scaled(x, y, z)


def ring(radius: float, thickness: float, sides: int = 36) -> Solid:
    """A torus about the Y axis, around the origin."""
    t = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    inner = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    r = radius + thickness * np.cos(inner)[None]
    rings = np.stack(
        [
            r * np.cos(t)[:, None],
            np.broadcast_to(thickness * np.sin(inner), (sides, 8)),
            r * np.sin(t)[:, None],
        ],
        2,
    )
    return loft(np.concatenate([rings, rings[:1]]), closed=False)


def smooth_curve(points: np.ndarray, count: int) -> np.ndarray:
    """Points [K,D] to [count,D] along a Catmull-Rom spline through them."""
    p = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    t = np.linspace(0, len(points) - 1 - 1e-6, count)
    i, u = t.astype(int), (t % 1)[:, None]
    a, b, c, d = p[i], p[i + 1], p[i + 2], p[i + 3]
    return 0.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u**2 + (3 * b - a - 3 * c + d) * u**3)
