"""The graphs of `smooth_skin`: detect skin, and smooth it without its features.

Retouchers split a face into bands: pores (finest), blotches, and form (coarse), and weaken the first two.
Pores are what a small mean removes that does not cross features. Blotches lie between edge-aware bases
(self-guided filters at a quarter and an eighth of the size).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graphs.boxes import box, enlarge, pool, resize
from graphs.graph import FLOAT, Graph, Value
from graphs.guided import apply_color, color_coefficients
from graphs.pixels import close_tile, highest, luma, open_tile, open_whole
from graphs.seg_graph import logits, mean
from graphs.window import Window
from networks.seg_net import SegNet
from networks.skin_net import SkinNet, emit_skin

SIZE = 256
HALO = 48
"""Eighth of the size: two boxes of radius 2, a pool and a bilinear step, rounded up to 8."""
BAND_WEIGHTS = ((0.2, 0.05), (0.9, 1.0))
"""Small and large blotches: at a long edge of 512 pixels and at 4096."""
SURE = 0.5
"""Where the map says at least this, skin is treated in full."""
EDGE = (0.075, 0.14)
"""Slope by pixel, relative to lightness, where features begin and from which on nothing is touched."""
TEXTURE = 0.085
"""Contrast relative to lightness that counts as skin texture, the same for deep and pale skin."""


def write_analyse(net: SkinNet, seg: SegNet, path: Path) -> None:
    """Output: `map` [1,S,S], 0 (exactly) to 1."""
    g = Graph("skin")
    rgb = open_whole(g, SIZE)
    subject, skin = g.ops("Split", 2, _seen(g, seg, rgb), axis=1)
    # An uncertain color counts only if the network detects skin; a clear one, if it detects anything. Where
    # the network is certain, even the palest and grayest tones count.
    context = g.clip(skin * 8.0 - 2.0, -2.0, 0.0) + g.clip(skin * 8.0 - 2.8, 0.0, 3.0)
    color = g.op("Sigmoid", emit_skin(g, net, rgb) + context)
    support = box(g, color, 6)  # isolated pixels of skin color are not skin
    likely = (
        color * g.smoothstep(support, 0.15, 0.5) * g.smoothstep(g.op("Max", subject, skin * 3.0), 0.04, 0.25)
    )
    grown = box(g, likely, 2)
    # At half the size, a quarter of the work (He, Sun 2015).
    half = color_coefficients(g, pool(g, rgb, 2), pool(g, grown, 2), 2, 1e-3)
    edge_aware = apply_color(g, resize(g, half, 2), rgb)
    g.output(g.smoothstep(edge_aware, 0.3, 0.7), "map", FLOAT, ["N", 1, SIZE, SIZE])
    g.save(path)


def _seen(g: Graph, seg: SegNet, rgb: Value) -> Value:
    """Subject and skin as a network like those of `bg_remove` sees them at two sizes, [N,2,S,S].

    Sand, walls, and wood also have skin colors. The network recognizes them as surroundings.
    """
    near = resize(g, g.op("Sigmoid", logits(g, [seg], pool(g, rgb, 2), SIZE // 2)), 4)
    return mean([near, resize(g, g.op("Sigmoid", logits(g, [seg], rgb, SIZE)), 2)])


def write_render(path: Path) -> None:
    """Smooth by map × strength. Where the map is 0, the pixel stays unchanged."""
    g = Graph("smooth")
    tile = open_tile(g)
    window = Window(g, tile.source)
    strength = g.op("Reshape", g.input("strength", FLOAT, ["N"]), g.ints(-1, 1, 1, 1))
    skin = window.sample(g.input("map", FLOAT, ["N", 1, SIZE, SIZE]), SIZE)
    rgb = tile.rgb * (1 / 255)
    removed = _texture(g, rgb, _band_weights(g, window))
    share = g.smoothstep(skin, 0.0, SURE) * strength
    close_tile(g, tile, (rgb - removed * share) * 255.0)
    g.save(path)


def _band_weights(g: Graph, window: Window) -> list[Value]:
    """In large pictures, the blotches of a face have coarser scales."""
    octaves = g.op("Log", window.long_edge() * (1 / 512)) * 1.442695
    t = g.clip(octaves * (1 / 3), 0.0, 1.0)
    return [small + t * (large - small) for small, large in zip(*BAND_WEIGHTS, strict=True)]


def _texture(g: Graph, rgb: Value, weights: list[Value]) -> Value:
    """Pores and blotches, without features [N,3,H,W]."""
    plain = 1.0 - _features(g, rgb)
    finer = _smooth_around(g, rgb, plain)
    total = rgb - finer
    shrunk = pool(g, finer, 2)
    for factor, weight in zip((4, 8), weights, strict=True):
        shrunk = pool(g, shrunk, 2)
        base = _base(g, finer, shrunk, factor)
        total = total + (finer - base) * weight
        finer = base
    return total * plain


def _features(g: Graph, rgb: Value) -> Value:
    """1 at the edges of eyes, lips, brows, hair, and their surroundings; 0 on skin [N,1,H,W].

    Based on the slope of the steepest channel, relative to the lightness, because deep skin has fainter
    edges.
    """
    soft = box(g, rgb, 1)
    across = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], np.float32) / 8
    slopes = [
        g.op("Conv", soft, g.constant(np.tile(kernel, (3, 1, 1, 1))), group=3, pads=[1, 1, 1, 1])
        for kernel in (across, across.T)
    ]
    square = slopes[0] * slopes[0] + slopes[1] * slopes[1]
    steep = g.op("Sqrt", highest(g, square))
    edge = g.smoothstep(steep / (luma(g, soft) + 0.12), *EDGE)
    wide = g.op("MaxPool", edge, kernel_shape=[5, 5], pads=[2, 2, 2, 2])
    return box(g, wide, 1)


def _smooth_around(g: Graph, rgb: Value, plain: Value) -> Value:
    """Mean of the neighbors that are not features (normalized convolution, about σ = 2 pixels)."""
    weight = plain + 1e-3
    total = box(g, box(g, g.concat([rgb * weight, weight], 1), 2), 2)
    return g.slice(total, 0, 3, 1) / g.slice(total, 3, 4, 1)


def _base(g: Graph, rgb: Value, shrunk: Value, factor: int) -> Value:
    """Self-guided filter of radius 2 · factor, with one gain for all channels, so that hues do not change."""
    means = box(g, g.concat([shrunk, shrunk * shrunk], 1), 2)
    mean, square = g.slice(means, 0, 3, 1), g.slice(means, 3, 6, 1)
    variance = highest(g, g.op("Relu", square - mean * mean))
    limit = (luma(g, mean) + 0.12) * TEXTURE
    # Squared twice: texture well below the limit disappears, and features well above it stay unchanged.
    power = variance * variance
    gain = power / (power + limit * limit * limit * limit)
    coefficients = box(g, g.concat([gain, (1.0 - gain) * mean], 1), 2)
    full = enlarge(g, coefficients, factor)
    return g.slice(full, 0, 1, 1) * rgb + g.slice(full, 1, 4, 1)
