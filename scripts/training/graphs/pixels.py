"""The uint8 edges every graph shares: pixels in, pixels out, alpha carried beside them."""

from __future__ import annotations

import numpy as np

from graphs.graph import FLOAT, UINT8, Graph, Value

RESULT = "enhanced"
"""Name of a render graph's only output; ONNX forbids it to be `image`, which names the input."""


class Pixels:
    """A tile split into its parts."""

    def __init__(self, g: Graph, source: Value) -> None:
        self.source = source
        """uint8 [N,H,W,C], C = 3 or 4."""
        planes = g.op("Transpose", source, perm=[0, 3, 1, 2])
        self.planes = planes
        """uint8 [N,C,H,W]."""
        self.rgb = g.cast(g.slice(planes, 0, 3, 1), FLOAT)
        """float32 [N,3,H,W], 0..255."""

    @property
    def own_alpha(self) -> Value:
        """uint8 [N,C-3,H,W]: empty where the source has none, so that it costs nothing there."""
        g = self.source.graph
        return g.op("Slice", self.planes, g.ints(3), size(g, self.source, 3), g.ints(1))

    @property
    def alpha(self) -> Value:
        """uint8 [N,1,H,W]; 255 where the source has none."""
        g = self.source.graph
        nhw = g.slice(g.op("Shape", self.source), 0, 3, 0)
        place = g.concat([g.slice(nhw, 0, 1, 0), g.ints(1), g.slice(nhw, 1, 3, 0)], 0)
        opaque = g.op("Expand", g.constant([[[[255]]]], np.uint8), place)
        return g.slice(g.concat([self.planes, opaque], 1), 3, 4, 1)


def size(g: Graph, x: Value, axis: int) -> Value:
    """Length of an axis, int64 [1], read at run time."""
    return g.slice(g.op("Shape", x), axis, axis + 1, 0)


def open_tile(g: Graph) -> Pixels:
    """Declare the render input `image` and split it; C is read at run time."""
    return Pixels(g, g.input("image", UINT8, ["N", "H", "W", "C"]))


def open_whole(g: Graph, size: int) -> Value:
    """Declare the analyse input `image` uint8 [N,S,S,3]; gives float32 [N,3,S,S], 0..1."""
    image = g.input("image", UINT8, ["N", size, size, 3])
    planes = g.cast(g.op("Transpose", image, perm=[0, 3, 1, 2]), FLOAT)
    return planes * (1.0 / 255.0)


def to_bytes(g: Graph, planes: Value) -> Value:
    """Round to nearest and clip float32 0..255 to uint8."""
    return g.cast(g.clip(g.op("Round", planes), 0.0, 255.0), UINT8)


def close_tile(g: Graph, tile: Pixels, rgb: Value) -> None:
    """Publish float32 0..255 [N,3,H,W] with the alpha that the source had, if any."""
    planes = g.concat([to_bytes(g, rgb), tile.own_alpha], 1)
    publish(g, g.op("Transpose", planes, perm=[0, 2, 3, 1]))


def publish(g: Graph, pixels: Value) -> None:
    """Declare the render output, uint8 [N,H,W,C]."""
    g.output(pixels, RESULT, UINT8, ["N", "H2", "W2", "C2"])


def luma(g: Graph, rgb: Value) -> Value:
    """BT.601 luma [N,1,H,W] of gamma-encoded RGB, same range."""
    weights = g.constant([[[[0.299]], [[0.587]], [[0.114]]]])
    return g.op("Conv", rgb, weights)
