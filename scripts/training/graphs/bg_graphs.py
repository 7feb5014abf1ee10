"""The graphs of `bg_remove`: find the subject, cut it out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphs.boxes import box, pool, resize
from graphs.graph import FLOAT, UINT8, Graph, Value
from graphs.guided import apply_color, color_coefficients
from graphs.pixels import RESULT, Pixels, interleaved, open_tile, open_whole, to_bytes
from graphs.seg_graph import logits, mean
from graphs.window import Window
from networks.seg_net import SegNet

NET_SIZES = {320: (160, 256), 512: (160, 256)}
"""Analyse size to the sizes at which the networks look; several are averaged."""
SUREST_FLOOR = 0.3
"""Less is not scaled up to certainty: without evidence nothing is made up."""
PRESENT_FROM = 0.4
"""Least `surest` of a picture that has a subject; chosen on drawn pictures, see README.md."""
PARTS_GRID = 40
"""Side of the grid on which separate parts of what was found are told apart."""
PARTS_STEPS = 64
"""Cells over which a part is followed; a longer and thinner one counts as several."""
PART_FROM = 0.4
"""From which chance on a cell belongs to a part."""
PART_WEIGHT = (0.075, 0.15)
"""Weight of a part, as a share of the heaviest, up to which it is dropped and from which it is kept whole."""
INSIDE_REACH = 6
"""The part of a side of the picture within which surer places count."""
DOUBT = (0.1, 0.4)
"""From which chance on a place is doubtful, and from which on it is filled whole."""
EDGE_RADIUS = {320: (8, 3), 512: (12, 4)}
"""Radii of the two guided filters, in pixels of the analyse image."""
EDGE_SHRINK = {320: 1, 512: 2}
"""By how much the image of the second filter is smaller; on drawn scenes 320 lost at edges, 512 not."""


def write_analyse(nets: Sequence[SegNet], size: int, path: Path) -> None:
    """Outputs are described in `map_shapes`."""
    g = Graph("subject")
    rgb = open_whole(g, size)
    chance = _chance(g, nets, rgb, size)
    surest = g.op("ReduceMax", pool(g, chance, 16), axes=[2, 3], keepdims=1)
    # Photographs differ from drawings, so the place with the highest confidence counts as subject.
    subject = g.clip(chance / g.clip(surest, SUREST_FLOOR, 1.0), 0.0, 1.0)
    subject = _without_light_parts(g, subject, size)
    wide, narrow = EDGE_RADIUS[size]
    # At half the size, with a quarter of the work, because the network's output is coarser than that.
    half = pool(g, rgb, 2)
    whole = _without_doubt_inside(g, pool(g, subject, 2), size // 2)
    around = color_coefficients(g, half, whole, wide // 2, 3e-3)
    first = apply_color(g, resize(g, around, 2), rgb)
    sharper, shrink = g.smoothstep(first, 0.1, 0.9), EDGE_SHRINK[size]
    guide, target = (rgb, sharper) if shrink == 1 else (half, pool(g, sharper, 2))
    coefficients = color_coefficients(g, guide, target, narrow // shrink, 1e-3)
    alpha = g.clip(apply_color(g, coefficients, guide), 0.0, 1.0)
    alpha = pool(g, alpha, 2) if shrink == 1 else alpha
    colors = g.concat(
        [_spread(g, half, g.smoothstep(alpha, 0.7, 1.0)), _spread(g, half, g.smoothstep(alpha, 0.3, 0.0))], 1
    )
    shapes = map_shapes(size)
    for name, value in (
        ("coefficients", coefficients),
        ("colours", colors),
        ("presence", g.op("Reshape", surest, g.ints(0, 1))),
    ):
        g.output(value, name, FLOAT, ["N", *shapes[name]])
    g.save(path)


def map_shapes(size: int) -> dict[str, list[int]]:
    """Outputs for a picture: `coefficients` (of alpha), `colours` (subject, rest), `presence`."""
    edge = size // EDGE_SHRINK[size]
    return {"coefficients": [4, edge, edge], "colours": [6, size // 2, size // 2], "presence": [1]}


def _chance(g: Graph, nets: Sequence[SegNet], rgb: Value, size: int) -> Value:
    """Subject probability [N,1,S,S] as the networks see it.

    Computed from the mean of logits, which is the normalized geometric mean of the results at each size. A
    place that only one view takes for a subject gets less weight than in the mean of probabilities.
    """
    half, seen = pool(g, rgb, 2), []
    for net_size in NET_SIZES[size]:
        source, side = (half, size // 2) if net_size * 2 <= size else (rgb, size)
        view = source if side == net_size else resize(g, source, net_size / side)
        found = g.slice(logits(g, nets, view, net_size), 0, 1, 1)
        seen.append(resize(g, found, size * 2 / net_size))
    return g.op("Sigmoid", mean(seen))


def _without_light_parts(g: Graph, subject: Value, size: int) -> Value:
    """Drops parts that are light compared with the heaviest one and do not touch it: a lamp next to a person."""
    cells = resize(g, pool(g, subject, 4), PARTS_GRID * 4 / size)
    found = g.cast(g.op("Greater", cells, g.constant(np.float32(PART_FROM))), FLOAT)
    count = PARTS_GRID**2
    # Each cell has a number. The largest number of a part spreads to all of its cells.
    number = found * np.arange(1, count + 1, dtype=np.float32).reshape(1, 1, PARTS_GRID, PARTS_GRID)
    for _ in range(PARTS_STEPS):
        number = g.op("MaxPool", number, kernel_shape=[3, 3], pads=[1] * 4) * found
    rows, columns = g.op("Reshape", number, g.ints(0, count, 1)), g.op("Reshape", number, g.ints(0, 1, count))
    together = g.cast(g.op("Equal", rows, columns), FLOAT)
    weights = g.op("Reshape", cells * cells * found, g.ints(0, count, 1))
    weight = g.op("Reshape", g.op("MatMul", together, weights), g.ints(0, 1, PARTS_GRID, PARTS_GRID))
    share = weight * found / (g.op("ReduceMax", weight * found, axes=[2, 3], keepdims=1) + 1e-6)
    light, heavy = PART_WEIGHT
    kept = g.clip((share - light) * (1 / (heavy - light)), 0.0, 1.0)
    # The surroundings of a part go with it. A place near no part is too uncertain to be visible.
    near = g.op("MaxPool", kept, kernel_shape=[5, 5], pads=[2] * 4)
    return subject * resize(g, kept + (1.0 - found) * near, size / PARTS_GRID)


def _without_doubt_inside(g: Graph, chance: Value, side: int) -> Value:
    """Raises uncertain places that have more certain ones near them on all four sides (a badge, a highlight)
    to the lowest of those four. Places that are clearly not part of the subject (the gap next to a bent arm)
    stay unchanged. Everything below the picture counts as certain, because the frame cuts off subjects there.
    """
    # The resolution of the networks' output is at most half of this.
    coarse, cells, reach = pool(g, chance, 2), side // 2, side // 2 // INSIDE_REACH
    below = np.zeros((1, 1, cells, 1), np.float32)
    below[:, :, cells - reach :] = 1
    sides = [
        g.op("MaxPool", coarse, kernel_shape=kernel, pads=pads)
        for kernel, pads in (
            ([reach + 1, 1], [reach, 0, 0, 0]),
            ([reach + 1, 1], [0, 0, reach, 0]),
            ([1, reach + 1], [0, reach, 0, 0]),
            ([1, reach + 1], [0, 0, 0, reach]),
        )
    ]
    sides[1] = g.op("Max", sides[1], g.constant(below))
    surer = resize(g, g.op("Relu", g.op("Min", *sides) - coarse), 2)
    return chance + surer * g.smoothstep(chance, *DOUBT)


def _spread(g: Graph, rgb: Value, weight: Value) -> Value:
    """Color of the weighted pixels, extended to places with zero weight [N,3,S,S].

    Means over growing boxes, in which the nearest pixels have the most weight: a blur-fusion estimate (Forte,
    Pitié 2021, "Approximate fast foreground color estimation").
    """
    weighted = g.concat([rgb * weight, weight], 1)
    near, far = box(g, weighted, 2), resize(g, box(g, pool(g, weighted, 2), 5), 2)
    everywhere = g.op("GlobalAveragePool", g.concat([rgb, rgb * weight, weight], 1))
    fallback = g.slice(everywhere, 0, 3, 1) * 1e-6
    total = near + far * 0.02 + g.slice(everywhere, 3, 7, 1) * 1e-4
    return (g.slice(total, 0, 3, 1) + fallback) / (g.slice(total, 3, 4, 1) + 1e-6)


def write_matte(size: int, path: Path, *, decontaminate: bool) -> None:
    """Render RGBA: alpha = matte × source alpha. Removes the color of the surroundings from edges."""
    g = Graph("matte")
    tile = open_tile(g)
    window = Window(g, tile.source)
    rgb = tile.rgb * (1 / 255)
    matte = g.smoothstep(apply_color(g, _sampled(g, window, "coefficients", size), rgb), 0.08, 0.92)
    color = tile.rgb
    if decontaminate:
        color = _unmix(g, rgb, matte, _sampled(g, window, "colours", size)) * 255.0
    _publish(g, tile, color, matte)
    g.save(path)


def _sampled(g: Graph, window: Window, name: str, size: int) -> Value:
    shape = map_shapes(size)[name]
    return window.sample(g.input(name, FLOAT, ["N", *shape]), shape[-1])


def _unmix(g: Graph, rgb: Value, alpha: Value, colors: Value) -> Value:
    """Subject color F with I ≈ αF + (1-α)B, biased toward the estimate where α is small."""
    front, back = g.slice(colors, 0, 3, 1), g.slice(colors, 3, 6, 1)
    return front + alpha * (rgb - alpha * front - (1.0 - alpha) * back)


def _publish(g: Graph, tile: Pixels, rgb: Value, matte: Value) -> None:
    alpha = to_bytes(g, matte * g.cast(tile.alpha, FLOAT))
    planes = g.concat([to_bytes(g, rgb), alpha], 1)
    g.output(interleaved(g, planes), RESULT, UINT8, ["N", "H", "W", 4])
