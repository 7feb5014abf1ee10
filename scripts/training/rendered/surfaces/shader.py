"""A Cycles material under construction: nodes by short names."""

from __future__ import annotations

import bpy

from surfaces.colors import Color

Socket = bpy.types.NodeSocket
Value = Socket | Color | float


class Shader:
    """One material with a Principled surface."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self._nodes, self._links = self.material.node_tree.nodes, self.material.node_tree.links
        self.surface = self._nodes["Principled BSDF"]
        self._places: dict[str, Socket] = {}

    def set(self, **values: Value) -> Shader:
        """Sets inputs of the surface to a value or a socket. `_` stands for a space."""
        for name, value in values.items():
            self._put(self.surface.inputs[name.replace("_", " ")], value)
        return self

    def place(self, output: str = "Object") -> Socket:
        """Texture coordinates."""
        if output not in self._places:
            self._places[output] = self._nodes.new("ShaderNodeTexCoord").outputs[output]
        return self._places[output]

    def mapped(
        self, scale: tuple[float, float, float], turn: tuple[float, float, float] = (0, 0, 0)
    ) -> Socket:
        """Object coordinates, scaled and turned."""
        node = self._nodes.new("ShaderNodeMapping")
        node.inputs["Scale"].default_value, node.inputs["Rotation"].default_value = scale, turn
        self._links.new(self.place(), node.inputs["Vector"])
        return node.outputs["Vector"]

    def noise(
        self, scale: float, detail: float = 3, distortion: float = 0, at: Socket | None = None
    ) -> Socket:
        """Fractal noise, 0 to 1; `scale` in features a meter."""
        return self._texture("Noise", at, Scale=scale, Detail=detail, Distortion=distortion).outputs[0]

    def cells(self, scale: float, at: Socket | None = None, distance: bool = True) -> Socket:
        """Voronoi cells: distance to the nearest point, or one value per cell."""
        return self._texture("Voronoi", at, Scale=scale).outputs["Distance" if distance else "Color"]

    def waves(self, scale: float, distortion: float, at: Socket | None = None) -> Socket:
        """Stripes, or the grain of wood."""
        return self._texture("Wave", at, Scale=scale, Distortion=distortion, Detail=2.0).outputs["Fac"]

    def checks(self, scale: float, at: Socket | None = None) -> Socket:
        """0 or 1."""
        return self._texture("Checker", at, Scale=scale).outputs["Fac"]

    def bricks(self, colors: tuple[Color, Color, Color], width: float, height: float, joint: float) -> Socket:
        """Colors of two bricks and of the mortar, with sizes in meters. For vertical walls."""
        node = self._texture("Brick", self._wall_place(), Scale=1.0)
        for name, color in zip(("Color1", "Color2", "Mortar"), colors, strict=True):
            self._put(node.inputs[name], color)
        for name, value in (("Brick Width", width), ("Row Height", height), ("Mortar Size", joint)):
            node.inputs[name].default_value = value
        return node.outputs["Color"]

    def ramp(self, value: Socket, *stops: tuple[float, Color], hard: bool = False) -> Socket:
        """A value mapped to colors."""
        node = self._nodes.new("ShaderNodeValToRGB")
        ramp = node.color_ramp
        ramp.interpolation = "CONSTANT" if hard else "LINEAR"
        while len(ramp.elements) < len(stops):
            ramp.elements.new(0.5)
        for element, (position, color) in zip(ramp.elements, stops, strict=True):
            element.position, element.color = position, (*color, 1)
        self._links.new(value, node.inputs["Fac"])
        return node.outputs["Color"]

    def mixed(self, share: Socket | float, first: Value, second: Value, blend: str = "MIX") -> Socket:
        """A mix of two colors."""
        node = self._nodes.new("ShaderNodeMix")
        node.data_type, node.blend_type = "RGBA", blend
        for index, value in ((0, share), (6, first), (7, second)):
            self._put(node.inputs[index], value)
        return node.outputs[2]

    def bump(self, height: Socket, strength: float, depth: float) -> Shader:
        """Relief of the surface. `depth` in meters."""
        node = self._nodes.new("ShaderNodeBump")
        node.inputs["Strength"].default_value, node.inputs["Distance"].default_value = strength, depth
        self._links.new(height, node.inputs["Height"])
        return self.set(Normal=node.outputs["Normal"])

    def opaque(self, opacity: float) -> Shader:
        """How much this hides of what is behind it in the matte, 0 to 1."""
        self.material["opacity"] = opacity
        return self

    def _wall_place(self) -> Socket:
        """(x + y, z) of the object, so that all walls of a box have the same bricks."""
        split, join, add = (self._nodes.new(f"ShaderNode{n}") for n in ("SeparateXYZ", "CombineXYZ", "Math"))
        self._links.new(self.place(), split.inputs[0])
        for index in (0, 1):
            self._links.new(split.outputs[index], add.inputs[index])
        self._links.new(add.outputs[0], join.inputs[0])
        self._links.new(split.outputs[2], join.inputs[1])
        return join.outputs[0]

    def _texture(self, name: str, at: Socket | None, **inputs: float) -> bpy.types.Node:
        node = self._nodes.new(f"ShaderNodeTex{name}")
        self._links.new(at or self.place(), node.inputs["Vector"])
        for key, value in inputs.items():
            node.inputs[key].default_value = value
        return node

    def _put(self, target: Socket, value: Value) -> None:
        if isinstance(value, Socket):
            self._links.new(value, target)
        elif isinstance(value, tuple) and len(value) == 3:
            target.default_value = (*value, 1) if len(target.default_value) == 4 else value
        else:
            target.default_value = value
