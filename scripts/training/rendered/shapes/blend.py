"""Bodies blended from simple parts: signed distances, joined smoothly and then triangulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from skimage.measure import marching_cubes

from shapes.solid import Solid

CELLS = 72
"""Cells along the longest side of the volume."""


@dataclass(frozen=True)
class Limb:
    """A capsule from `a` to `b` with radii at its ends, in meters; `flat` squeezes it along X."""

    a: Sequence[float]
    b: Sequence[float]
    ra: float
    rb: float
    flat: float = 1.0

    def distance(self, points: np.ndarray) -> np.ndarray:
        """Signed distance of points [N,3], negative inside."""
        squeeze = np.array([1 / self.flat, 1, 1])
        a, b, p = np.array(self.a) * squeeze, np.array(self.b) * squeeze, points * squeeze
        way = b - a
        t = np.clip((p - a) @ way / (way @ way + 1e-9), 0, 1)
        radius = self.ra + (self.rb - self.ra) * t
        return (np.linalg.norm(p - a - t[:, None] * way, axis=1) - radius) * min(1, self.flat)


def blended(limbs: Sequence[Limb], softness: float, cells: int = CELLS) -> Solid:
    """The smooth union of limbs (polynomial minimum, Quilez 2013); `softness` in meters."""
    ends = np.array(
        [[*limb.a, limb.ra * max(1, limb.flat)] for limb in limbs] + [[*limb.b, limb.rb] for limb in limbs]
    )
    low = (ends[:, :3] - ends[:, 3:]).min(0) - softness
    high = (ends[:, :3] + ends[:, 3:]).max(0) + softness
    step = (high - low).max() / cells
    shape = np.ceil((high - low) / step).astype(int) + 1
    axes = [low[i] + step * np.arange(shape[i]) for i in range(3)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    field = np.full(len(points), 1e3)
    for limb in limbs:
        other = limb.distance(points)
        mix = np.clip(0.5 + 0.5 * (other - field) / softness, 0, 1)
        field = other + (field - other) * mix - softness * mix * (1 - mix)
        field = np.where(mix <= 0, other, field)
    vertices, faces, _, _ = marching_cubes(field.reshape(shape), 0.0, spacing=(step,) * 3)
    return Solid(vertices + low, [tuple(face) for face in faces.tolist()])
