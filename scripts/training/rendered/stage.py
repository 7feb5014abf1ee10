"""The scene under construction: objects, strands, lights, and the parts that belong to the subject."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector

from shapes.solid import Solid

Rng = np.random.Generator
Build = Callable[[Rng, "Stage"], None]


class Stage:
    """An empty Blender scene, to which objects are added."""

    def __init__(self) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        self.objects: list[bpy.types.Object] = []
        self.subject: list[bpy.types.Object] = []

    def add(
        self,
        solid: Solid,
        material: bpy.types.Material | list[bpy.types.Material],
        *,
        smooth: float | None = 0.6,
        bevel: float = 0.0,
        rounds: int = 0,
        slots: np.ndarray | None = None,
    ) -> bpy.types.Object:
        """A mesh. `smooth`: radians up to which edges are smooth; `bevel`: meters; `rounds`: of subdivision.

        `slots`: for each face, which of several materials.
        """
        mesh = bpy.data.meshes.new("mesh")
        mesh.from_pydata(solid.vertices.tolist(), [], solid.faces)
        materials = material if isinstance(material, list) else [material]
        for one in materials:
            mesh.materials.append(one)
        if slots is not None:
            mesh.polygons.foreach_set("material_index", slots.astype(np.int32))
        if smooth is not None:
            mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
            mesh.set_sharp_from_angle(angle=smooth)
        mesh.update()
        made = self._link(bpy.data.objects.new("mesh", mesh))
        if bevel:
            made.modifiers.new("bevel", "BEVEL").width = bevel
        if rounds:
            made.modifiers.new("rounds", "SUBSURF").render_levels = rounds
        return made

    def strands(self, points: np.ndarray, radius: float, material: bpy.types.Material) -> bpy.types.Object:
        """Hair, fur or grass: points [N,K,3] from root to tip; `radius` at the root, in meters."""
        count, length = points.shape[:2]
        curves = bpy.data.hair_curves.new("strands")
        curves.add_curves([length] * count)
        curves.attributes["position"].data.foreach_set("vector", points.astype(np.float32).ravel())
        radii = curves.attributes.get("radius") or curves.attributes.new("radius", "FLOAT", "POINT")
        taper = np.linspace(1, 0.25, length, dtype=np.float32) * radius
        radii.data.foreach_set("value", np.tile(taper, count).astype(np.float32))
        curves.materials.append(material)
        return self._link(bpy.data.objects.new("strands", curves))

    def group(self, build: Build, rng: Rng) -> list[bpy.types.Object]:
        """Everything that one builder adds."""
        before = len(self.objects)
        build(rng, self)
        return self.objects[before:]

    def put(
        self,
        objects: list[bpy.types.Object],
        at: tuple[float, float, float],
        yaw: float = 0.0,
        scale: float = 1.0,
    ) -> None:
        """Transform objects together: scale and rotate them around the origin, then move them."""
        matrix = Matrix.Translation(at) @ Euler((0, 0, yaw)).to_matrix().to_4x4() @ Matrix.Scale(scale, 4)
        for made in objects:
            made.matrix_world = matrix @ made.matrix_world

    def corners(self, objects: list[bpy.types.Object]) -> np.ndarray:
        """Vertices of meshes in world coordinates, thinned out, float [N,3]."""
        found = []
        for made in objects:
            if made.type == "MESH":
                own = np.empty(len(made.data.vertices) * 3, np.float32)
                made.data.vertices.foreach_get("co", own)
            elif made.type == "CURVES":
                own = np.empty(len(made.data.points) * 3, np.float32)
                made.data.attributes["position"].data.foreach_get("vector", own)
            else:
                continue
            own = own.reshape(-1, 3)[:: max(1, len(own) // 1500)]
            turn = np.array(made.matrix_world)
            found.append(own @ turn[:3, :3].T + turn[:3, 3])
        return np.concatenate(found)

    def lamp(
        self,
        kind: str,
        at: tuple[float, float, float],
        target: tuple[float, float, float],
        power: float,
        color: tuple[float, float, float],
        size: float,
    ) -> None:
        """`kind`: AREA (watts, size in meters) or SUN (watts per square meter, size in radians)."""
        light = bpy.data.lights.new("lamp", kind)
        light.energy, light.color = power, color
        if kind == "SUN":
            light.angle = size
        else:
            light.shape, light.size = "DISK", size
        made = self._link(bpy.data.objects.new("lamp", light))
        made.location = at
        made.rotation_euler = (Vector(target) - Vector(at)).to_track_quat("-Z", "Y").to_euler()

    def _link(self, made: bpy.types.Object) -> bpy.types.Object:
        self.scene.collection.objects.link(made)
        self.objects.append(made)
        return made
