"""A camera in front of the subject: lens, framing, and depth of field."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

from stage import Stage

Rng = np.random.Generator
ASPECTS = ((1, 1), (4, 3), (3, 4), (3, 2), (2, 3), (16, 9))
LENSES = (24, 28, 35, 50, 50, 85, 135)
"""Focal lengths in millimeters, of a sensor 36 mm wide."""


def shoot(rng: Rng, stage: Stage, points: np.ndarray, side: int, *, closer: bool) -> None:
    """Frame the points [N,3] of the subject. `closer`: crop the subject, as in portraits."""
    scene = stage.scene
    w, h = ASPECTS[rng.choice(6, p=[0.15, 0.3, 0.15, 0.22, 0.13, 0.05])]
    scene.render.resolution_x, scene.render.resolution_y = (
        round(side * k / max(w, h) / 2) * 2 for k in (w, h)
    )
    data = bpy.data.cameras.new("camera")
    data.lens, data.sensor_width = float(rng.choice(LENSES)) * rng.uniform(0.9, 1.1), 36
    camera = bpy.data.objects.new("camera", data)
    scene.collection.objects.link(camera)
    scene.camera = camera
    low, high = points.min(0), points.max(0)
    middle, size = (low + high) / 2, high - low
    shown_points = points
    if closer:
        shown = rng.uniform(0.25, 0.65)
        middle = np.array(
            [*(middle[:2] + rng.normal(0, 0.05, 2) * size[:2]), high[2] - size[2] * shown * 0.52]
        )
        size = size * (0.6, 0.6, 1) * shown
        shown_points = points[np.abs(points[:, 2] - middle[2]) <= size[2] / 2]
    azimuth, rise = rng.normal(0, 0.15), np.clip(rng.normal(0.17, 0.18), -0.12, 1.0)
    if size.max() < 1 and rng.random() < 0.5:
        rise = rng.uniform(0.2, 0.8)
    way = np.array([np.sin(azimuth) * np.cos(rise), -np.cos(azimuth) * np.cos(rise), np.sin(rise)])
    fill = rng.uniform(0.75, 1.15) if rng.random() < 0.85 else rng.uniform(0.35, 0.75)
    tangent = 36 / 2 / data.lens * np.array([w, h]) / max(w, h)
    distance = _distance(shown_points - middle, way, tangent * fill)
    room = 1 - fill if fill < 1 else 0
    aside = np.array([rng.normal(0, 0.35), 0, rng.normal(0, 0.25)]) * room * distance * tangent.min()
    eye = middle + way * distance + aside
    eye[2] = max(eye[2], 0.04 + 0.02 * distance)
    camera.location = eye
    camera.rotation_euler = (Vector(middle + aside) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
    camera.rotation_euler.rotate_axis("Z", rng.normal(0, 0.03))
    data.clip_start, data.clip_end = distance * 0.02, 5000
    data.dof.use_dof = bool(rng.random() < 0.75)
    data.dof.focus_distance = max(distance - size[1] * 0.25, distance * 0.5)
    # The aperture for small objects is small, because otherwise the object itself would be blurred.
    sharp = size.max() / distance**2 * 36
    data.dof.aperture_fstop = float(rng.choice([1.4, 2, 2.8, 4, 5.6, 8])) * max(1.0, 0.25 * sharp)


def _distance(points: np.ndarray, way: np.ndarray, tangent: np.ndarray) -> float:
    """The distance along `way` at which a camera sees nearly all points [N,3] within `tangent`, half of its
    view on each axis.

    A few points may lie outside, such as the tip of a twig.
    """
    right = np.cross((0, 0, 1), way)
    right /= np.linalg.norm(right)
    across = np.stack([points @ right, points @ np.cross(way, right)], axis=1)
    needed = (np.abs(across) / tangent).max(1) + points @ way
    return float(max(np.quantile(needed, 0.99), (points @ way).max() * 1.1))
