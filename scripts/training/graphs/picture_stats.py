"""Properties of a picture, computed inside a graph: quantiles, mean, saturation, and color of the light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphs.graph import Graph, Value
from graphs.pixels import highest, lowest, luma

MINKOWSKI = 4.0
"""Between gray-world (1) and white-patch (infinity): Finlayson, Trezzi 2004, "Shades of gray"."""
GAMMA = 2.2


@dataclass(frozen=True)
class Stats:
    """Each [N,1,1,1], of pixels 0..1."""

    mean: Value
    channels: Value
    """[N,3,1,1]."""
    saturation: Value
    quantiles: dict[int, Value]
    """By percent, of luma."""


def measure(g: Graph, cells: Value, count: int, percents: tuple[int, ...]) -> Stats:
    """Statistics of `cells` [N,3,h,w] with h·w = `count`."""
    gray = g.op("Reshape", luma(g, cells), g.ints(0, count))
    ordered, _ = g.ops("TopK", 2, gray, g.ints(count), axis=1, largest=0)
    quantiles = {}
    for percent in percents:
        at = round((count - 1) * percent / 100)
        quantiles[percent] = g.op("Unsqueeze", g.slice(ordered, at, at + 1, 1), g.ints(2, 3))
    high, low = highest(g, cells), lowest(g, cells)
    spread = g.op("GlobalAveragePool", high - low) / (g.op("GlobalAveragePool", high) + 0.02)
    channels = g.op("GlobalAveragePool", cells)
    return Stats(luma(g, channels), channels, spread, quantiles)


def neutral_gains(g: Graph, cells: Value) -> tuple[Value, Value]:
    """Log gains [N,3,1,1] that would neutralize the light, and the fraction of cells that voted [N,1,1,1].

    Clipped, dark, and vivid cells do not vote.
    """
    high, low = highest(g, cells), lowest(g, cells)
    vivid = (high - low) / (high + 0.02)
    vote = g.smoothstep(high, 0.985, 0.93) * g.smoothstep(high, 0.04, 0.15) * g.smoothstep(vivid, 0.5, 0.15)
    power = g.op("Pow", cells, np.float32(GAMMA * MINKOWSKI))
    total = g.op("GlobalAveragePool", power * vote) + 1e-8
    cast = g.op("Log", total) * (1 / (GAMMA * MINKOWSKI))
    return luma(g, cast) - cast, g.op("GlobalAveragePool", vote)
