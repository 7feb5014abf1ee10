"""Coats of fur: strands all over a body."""

from __future__ import annotations

import numpy as np

import surfaces.materials as m
from shapes.solid import (
    Solid,
)
from stage import Stage

Rng = np.random.Generator


def coat_of(
    rng: Rng, stage: Stage, body: Solid, length: float, material: m.Material, droop: float, count: int = 14000
) -> None:
    """Strands all over a body of triangles."""
    corners = body.vertices[np.array([face[:3] for face in body.faces])]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normals, axis=1)
    outward = normals / (area[:, None] + 1e-12)
    picked = rng.choice(len(area), count, p=area / area.sum())
    share = rng.dirichlet((1, 1, 1), count)
    roots = (corners[picked] * share[..., None]).sum(1)
    way = outward[picked] + rng.normal(0, 0.25, (count, 3))
    bend = np.array([0.5, 0, -1.0]) * droop
    t = np.linspace(0, 1, 4)[None, :, None]
    reach = length * rng.uniform(0.5, 1.2, (count, 1, 1))
    points = roots[:, None] + reach * (t * way[:, None] + t**2 * bend)
    size = float(np.ptp(body.vertices, axis=0).max())
    stage.strands(points, size * rng.uniform(0.0008, 0.002), material)
