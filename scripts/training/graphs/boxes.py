"""Box means inside a graph, at any radius, fair at the border."""

from __future__ import annotations

from graphs.graph import Graph, Value


def box(g: Graph, x: Value, radius: int) -> Value:
    """Mean over (2r+1)² within the image, float32 [N,C,H,W]; two one-dimensional pools."""
    k = 2 * radius + 1
    rows = g.op("AveragePool", x, kernel_shape=[k, 1], pads=[radius, 0, radius, 0], count_include_pad=0)
    return g.op("AveragePool", rows, kernel_shape=[1, k], pads=[0, radius, 0, radius], count_include_pad=0)


def resize(g: Graph, x: Value, factor: float) -> Value:
    """Bilinear, half-pixel centres; shrink only by means of `box` or AveragePool first."""
    scales = g.constant([1.0, 1.0, factor, factor])
    return g.op("Resize", x, None, scales, mode="linear", coordinate_transformation_mode="half_pixel")


def pool(g: Graph, x: Value, factor: int) -> Value:
    """Area mean of factor × factor cells."""
    return g.op("AveragePool", x, kernel_shape=[factor, factor], strides=[factor, factor])
