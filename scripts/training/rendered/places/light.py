"""Light of a place: softboxes, sun, sky."""

from __future__ import annotations

import bpy
import numpy as np

from places.setting import Setting
from surfaces.colors import from_hsv

Rng = np.random.Generator


def softboxes(s: Setting, size: float, count: int) -> None:
    """Area lights around the subject."""
    rng = s.rng
    for index in range(count):
        angle, high, far = rng.uniform(-3.0, 0.2), rng.uniform(0.5, 2.5), rng.uniform(1.5, 3)
        at = (far * size * np.cos(angle), far * size * np.sin(angle), high * size)
        power = size**2 * rng.uniform(40, 200) / (1 + index)
        color = (
            tuple(np.clip(1 + rng.normal(0, 0.12, 3), 0.2, 1.5))
            if rng.random() < 0.85
            else tuple(rng.uniform(0.1, 1, 3))
        )
        s.stage.lamp("AREA", at, (0, 0, size * 0.4), power, color, size * rng.uniform(0.3, 2))


def daylight(s: Setting) -> None:
    """Sun and sky: clear, overcast, low sun, or night with a lamp."""
    rng, kind = s.rng, s.rng.random()
    angle, high = rng.uniform(-3.6, 0.5), rng.uniform(0.15, 1.3)
    at = (np.cos(angle), np.sin(angle), np.tan(high) + 0.1)
    if kind < 0.12:
        world(s, rng.uniform(0.01, 0.06))
        softboxes(s, s.size * 1.5, 2)
    elif kind < 0.42:
        world(s, rng.uniform(0.7, 1.5))
    else:
        warm = (1, 0.95, 0.88) if high > 0.5 else (1, rng.uniform(0.55, 0.85), rng.uniform(0.3, 0.6))
        world(s, rng.uniform(0.3, 1))
        s.stage.lamp("SUN", at, (0, 0, 0), rng.uniform(1.5, 5), warm, rng.uniform(0.005, 0.08))


def world(s: Setting, strength: float, sky: bool = True) -> None:
    """A gradient from the horizon to the zenith, with clouds outdoors."""
    rng, scene = s.rng, s.stage.scene
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.cycles.sampling_method = "NONE"
    tree = scene.world.node_tree
    background = tree.nodes["Background"]
    background.inputs["Strength"].default_value = strength
    if not sky:
        background.inputs["Color"].default_value = (*np.clip(1 + rng.normal(0, 0.1, 3), 0, 2), 1)
        return
    coordinates, split = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeSeparateXYZ")
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    tree.links.new(coordinates.outputs["Generated"], split.inputs[0])
    tree.links.new(split.outputs[2], ramp.inputs[0])
    gray = rng.random() < 0.4
    zenith = from_hsv(
        0.6 + rng.normal(0, 0.03), 0.1 if gray else rng.uniform(0.4, 0.85), rng.uniform(0.4, 0.9)
    )
    horizon = from_hsv(rng.choice([0.58, 0.08]), rng.uniform(0.02, 0.35), rng.uniform(0.7, 1))
    elements = ramp.color_ramp.elements
    elements[0].position, elements[0].color = 0.0, (*horizon, 1)
    elements[1].position, elements[1].color = rng.uniform(0.25, 0.7), (*zenith, 1)
    color = ramp.outputs[0]
    if rng.random() < 0.6:
        noise, cover = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeValToRGB")
        noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = rng.uniform(1.5, 5), 7
        stretch = tree.nodes.new("ShaderNodeMapping")
        stretch.inputs["Scale"].default_value = (1, 1, rng.uniform(1.5, 4))
        tree.links.new(coordinates.outputs["Generated"], stretch.inputs[0])
        tree.links.new(stretch.outputs[0], noise.inputs["Vector"])
        tree.links.new(noise.outputs[0], cover.inputs[0])
        low = rng.uniform(0.35, 0.6)
        cover.color_ramp.elements[0].position, cover.color_ramp.elements[1].position = (
            low,
            low + rng.uniform(0.08, 0.3),
        )
        mix = tree.nodes.new("ShaderNodeMix")
        mix.data_type = "RGBA"
        tree.links.new(cover.outputs[0], mix.inputs[0])
        tree.links.new(color, mix.inputs[6])
        mix.inputs[7].default_value = (*(3 * [rng.uniform(0.6, 1.2)]), 1)
        color = mix.outputs[2]
    tree.links.new(color, background.inputs["Color"])
