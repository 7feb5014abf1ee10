"""Box means inside a graph, with any radius and correct normalization at the border."""

from __future__ import annotations

import numpy as np

from graphs.graph import FLOAT, Graph, Value


def box(g: Graph, x: Value, radius: int) -> Value:
    """Mean over (2r+1)² within the image, float32 [N,C,H,W]; two one-dimensional pools."""
    k = 2 * radius + 1
    rows = g.op("AveragePool", x, kernel_shape=[k, 1], pads=[radius, 0, radius, 0], count_include_pad=0)
    return g.op("AveragePool", rows, kernel_shape=[1, k], pads=[0, radius, 0, radius], count_include_pad=0)


def resize(g: Graph, x: Value, factor: float) -> Value:
    """Bilinear with half-pixel centers. Only for enlarging, or after `box` or AveragePool."""
    scales = g.constant([1.0, 1.0, factor, factor])
    return g.op("Resize", x, None, scales, mode="linear", coordinate_transformation_mode="half_pixel")


def enlarge(g: Graph, x: Value, factor: int) -> Value:
    """Like `resize` by an integer factor, as two matrix products, which are faster on a CPU for few channels.
    """
    rows, columns = (_enlargement(g, x, axis, factor) for axis in (2, 3))
    return g.op("MatMul", g.op("MatMul", rows, x), g.op("Transpose", columns, perm=[1, 0]))


def _enlargement(g: Graph, x: Value, axis: int, factor: int) -> Value:
    """Weight of each cell along `axis` for each pixel [factor·L,L]."""
    length = g.cast(g.op("Gather", g.op("Shape", x), g.constant(axis, np.int64)), FLOAT)
    cells, pixels = g.op("Range", 0.0, length, 1.0), g.op("Range", 0.0, length * float(factor), 1.0)
    at = g.op("Min", g.op("Relu", (pixels + 0.5) * (1 / factor) - 0.5), length - 1.0)
    return g.op("Relu", 1.0 - g.op("Abs", g.op("Unsqueeze", at, g.ints(1)) - cells))


def pool(g: Graph, x: Value, factor: int) -> Value:
    """Area mean of factor × factor cells."""
    return g.op("AveragePool", x, kernel_shape=[factor, factor], strides=[factor, factor])
