"""The uint8 inputs and outputs of every graph: pixels in, pixels out, with alpha passed alongside."""

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
        planes = _planar(g, source)
        self.planes = planes
        """uint8 [N,C,H,W]."""
        self.rgb = g.cast(g.slice(planes, 0, 3, 1), FLOAT)
        """float32 [N,3,H,W], 0..255."""

    @property
    def own_alpha(self) -> Value:
        """uint8 [N,C-3,H,W]; empty if the source has no alpha, so that it costs nothing."""
        g = self.source.graph
        return g.op("Slice", self.planes, g.ints(3), size(g, self.source, 3), g.ints(1))

    @property
    def alpha(self) -> Value:
        """uint8 [N,1,H,W]; 255 if the source has no alpha."""
        g = self.source.graph
        nhw = g.slice(g.op("Shape", self.source), 0, 3, 0)
        place = g.concat([g.slice(nhw, 0, 1, 0), g.ints(1), g.slice(nhw, 1, 3, 0)], 0)
        opaque = g.op("Expand", g.constant([[[[255]]]], np.uint8), place)
        return g.slice(g.concat([self.planes, opaque], 1), 3, 4, 1)


def size(g: Graph, x: Value, axis: int) -> Value:
    """Length of an axis, int64 [1], read at run time."""
    return g.slice(g.op("Shape", x), axis, axis + 1, 0)


def _planar(g: Graph, image: Value) -> Value:
    """[N,H,W,C] as [N,C,H,W].

    Height and width are merged into one axis in between. Otherwise, ONNX Runtime would move a Transpose of
    four axes behind the operators that follow, which are half as fast on interleaved channels.
    """
    count, channels, height, width = (size(g, image, axis) for axis in (0, 3, 1, 2))
    rows = g.op("Reshape", image, g.concat([count, g.ints(-1), channels], 0))
    shape = [count, channels, height, width]
    return g.op("Reshape", g.op("Transpose", rows, perm=[0, 2, 1]), g.concat(shape, 0))


def open_tile(g: Graph) -> Pixels:
    """Declare the render input `image` and split it; C is read at run time."""
    return Pixels(g, g.input("image", UINT8, ["N", "H", "W", "C"]))


def open_whole(g: Graph, size: int) -> Value:
    """Declare the analyze input `image` uint8 [N,S,S,3]. Returns float32 [N,3,S,S], 0..1."""
    image = g.input("image", UINT8, ["N", size, size, 3])
    planes = g.cast(g.op("Transpose", image, perm=[0, 3, 1, 2]), FLOAT)
    return planes * (1.0 / 255.0)


def to_bytes(g: Graph, planes: Value) -> Value:
    """Round to nearest and clip float32 0..255 to uint8."""
    return g.cast(g.clip(g.op("Round", planes), 0.0, 255.0), UINT8)


def close_tile(g: Graph, tile: Pixels, rgb: Value) -> None:
    """Publish float32 0..255 [N,3,H,W] with the alpha of the source, if any."""
    publish(g, interleaved(g, g.concat([to_bytes(g, rgb), tile.own_alpha], 1)))


def interleaved(g: Graph, planes: Value) -> Value:
    """[N,C,H,W] as [N,H,W,C], also through a merged pixel axis."""
    count, channels, height, width = (size(g, planes, axis) for axis in range(4))
    rows = g.op("Reshape", planes, g.concat([count, channels, g.ints(-1)], 0))
    shape = [count, height, width, channels]
    return g.op("Reshape", g.op("Transpose", rows, perm=[0, 2, 1]), g.concat(shape, 0))


def publish(g: Graph, pixels: Value) -> None:
    """Declare the render output, uint8 [N,H,W,C]."""
    g.output(pixels, RESULT, UINT8, ["N", "H2", "W2", "C2"])


def luma(g: Graph, rgb: Value) -> Value:
    """BT.601 luma [N,1,H,W] of gamma-encoded RGB, in the same range. A convolution would be slower on a CPU.
    """
    red, green, blue = channels(g, rgb)
    return red * 0.299 + green * 0.587 + blue * 0.114


def channels(g: Graph, rgb: Value) -> list[Value]:
    """Red, green and blue, each [N,1,H,W]."""
    return g.ops("Split", 3, rgb, axis=1)


def highest(g: Graph, rgb: Value) -> Value:
    """Largest of the three channels [N,1,H,W]. ReduceMax would take ten times as long on a CPU."""
    return g.op("Max", *channels(g, rgb))


def lowest(g: Graph, rgb: Value) -> Value:
    """Smallest of the three channels [N,1,H,W]."""
    return g.op("Min", *channels(g, rgb))
