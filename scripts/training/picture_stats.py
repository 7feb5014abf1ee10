"""What a picture is like, computed inside a graph: quantiles, mean, saturation, colour of the light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graph import Graph, Value
from pixels import luma

MINKOWSKI = 4.0
"""Between grey-world (1) and white-patch (infinity): Finlayson, Trezzi 2004, "Shades of grey"."""
GAMMA = 2.2


@dataclass(frozen=True)
class Stats:
    """Each [N,1,1,1], of pixels 0..1."""

    mean: Value
    saturation: Value
    quantiles: dict[int, Value]
    """By percent, of luma."""


def measure(g: Graph, cells: Value, count: int, percents: tuple[int, ...]) -> Stats:
    """Statistics of `cells` [N,3,h,w] with h·w = `count`."""
    grey = g.op("Reshape", luma(g, cells), g.ints(0, count))
    ordered, _ = g.ops("TopK", 2, grey, g.ints(count), axis=1, largest=0)
    quantiles = {}
    for percent in percents:
        at = round((count - 1) * percent / 100)
        quantiles[percent] = g.op("Unsqueeze", g.slice(ordered, at, at + 1, 1), g.ints(2, 3))
    high, low = (g.op(kind, cells, axes=[1], keepdims=1) for kind in ("ReduceMax", "ReduceMin"))
    spread = g.op("GlobalAveragePool", high - low) / (g.op("GlobalAveragePool", high) + 0.02)
    mean = g.op("GlobalAveragePool", luma(g, cells))
    return Stats(mean, spread, quantiles)


def light_gains(g: Graph, cells: Value) -> Value:
    """Log gains [N,3,1,1] that neutralise the light, held back where there is little evidence.

    Clipped, dark and vivid cells don't vote; small casts are left (they are mostly the
    scene's own colour), large ones are only partly removed (so is the evening light).
    """
    high, low = (g.op(kind, cells, axes=[1], keepdims=1) for kind in ("ReduceMax", "ReduceMin"))
    vivid = (high - low) / (high + 0.02)
    vote = g.smoothstep(high, 0.985, 0.93) * g.smoothstep(high, 0.04, 0.15) * g.smoothstep(vivid, 0.5, 0.15)
    power = g.op("Pow", cells, np.float32(GAMMA * MINKOWSKI))
    total = g.op("GlobalAveragePool", power * vote) + 1e-8
    cast = g.op("Log", total) * (1 / (GAMMA * MINKOWSKI))
    level = g.op(
        "ReduceSum", cast * np.array([[[[0.299]], [[0.587]], [[0.114]]]], np.float32), g.ints(1), keepdims=1
    )
    gains = level - cast
    size = g.op("ReduceSum", gains * gains, g.ints(1), keepdims=1)
    evidence = g.smoothstep(g.op("GlobalAveragePool", vote), 0.04, 0.25)
    held = gains * evidence * 0.7 * (size / (size + 0.05**2))
    return g.op("Tanh", held * (1 / 0.16)) * 0.16
