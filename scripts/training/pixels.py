"""The uint8 edges every graph shares: pixels in, pixels out, alpha carried beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graph import FLOAT, UINT8, Graph, Value

RESULT = "enhanced"
"""Name of a render graph's only output; ONNX forbids it to be `image`, which names the input."""


@dataclass(frozen=True)
class Pixels:
    """A tile split into its parts."""

    source: Value
    """uint8 [N,H,W,C], C = 3 or 4."""
    rgb: Value
    """float32 [N,3,H,W], 0..255."""
    alpha: Value
    """uint8 [N,1,H,W]; 255 where the source has none."""


def open_tile(g: Graph) -> Pixels:
    """Declare the render input `image` and split it; C is read at run time."""
    image = g.input("image", UINT8, ["N", "H", "W", "C"])
    nhw = g.slice(g.op("Shape", image), 0, 3, 0)
    opaque = g.op("Expand", g.constant([[[[255]]]], np.uint8), g.concat([nhw, g.ints(1)], 0))
    planes = g.op("Transpose", g.concat([image, opaque], 3), perm=[0, 3, 1, 2])
    rgb = g.cast(g.slice(planes, 0, 3, 1), FLOAT)
    return Pixels(image, rgb, g.slice(planes, 3, 4, 1))


def open_whole(g: Graph, size: int) -> Value:
    """Declare the analyse input `image` uint8 [N,S,S,3]; gives float32 [N,3,S,S], 0..1."""
    image = g.input("image", UINT8, ["N", size, size, 3])
    planes = g.cast(g.op("Transpose", image, perm=[0, 3, 1, 2]), FLOAT)
    return planes * (1.0 / 255.0)


def to_bytes(g: Graph, planes: Value) -> Value:
    """Round to nearest and clip float32 0..255 to uint8."""
    return g.cast(g.clip(g.op("Round", planes), 0.0, 255.0), UINT8)


def close_tile(g: Graph, tile: Pixels, rgb: Value, alpha: Value) -> None:
    """Publish the result with as many channels as the source had."""
    planes = g.concat([to_bytes(g, rgb), alpha], 1)
    pixels = g.op("Transpose", planes, perm=[0, 2, 3, 1])
    channels = g.slice(g.op("Shape", tile.source), 3, 4, 0)
    kept = g.op("Slice", pixels, g.ints(0), channels, g.ints(3))
    g.output(kept, RESULT, UINT8, ["N", "H2", "W2", "C2"])


def luma(g: Graph, rgb: Value) -> Value:
    """BT.601 luma [N,1,H,W] of gamma-encoded RGB, same range."""
    weights = g.constant([[[[0.299]], [[0.587]], [[0.114]]]])
    return g.op("Conv", rgb, weights)
