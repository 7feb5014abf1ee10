"""Sampling a whole-image map inside a tile, by the tile's place in the image."""

from __future__ import annotations

import numpy as np

from graphs.graph import FLOAT, Graph, Value


class Window:
    """Declares `window` float32 [N,4] = (y0,x0,y1,x1) and samples maps through it."""

    def __init__(self, g: Graph, image: Value) -> None:
        """`image` is the uint8 [N,H,W,C] input."""
        self._g = g
        self._window = g.input("window", FLOAT, ["N", 4])
        shape = g.op("Shape", image)
        self._edges = [self._length(shape, axis) for axis in (1, 2)]

    def _length(self, shape: Value, axis: int) -> Value:
        return self._g.cast(self._g.op("Gather", shape, self._g.constant(axis, np.int64)), FLOAT)

    def _corner(self, index: int) -> Value:
        return self._g.slice(self._window, index, index + 1, 1)

    def _centres(self, axis: int) -> Value:
        """Pixel centres along `axis` (0 rows, 1 columns) in units of the whole image, [N,L]."""
        g, edge = self._g, self._edges[axis]
        index = g.op("Range", 0.0, edge, 1.0)
        low, high = self._corner(axis), self._corner(axis + 2)
        return low + g.op("Unsqueeze", (index + 0.5) / edge, g.ints(0)) * (high - low)

    def _weights(self, axis: int, size: int) -> Value:
        """Bilinear weights [N,1,L,S], clamped to the border."""
        g = self._g
        at = g.clip(self._centres(axis) * float(size) - 0.5, 0.0, size - 1.0)
        distance = g.op("Abs", g.op("Unsqueeze", at, g.ints(1, 3)) - np.arange(size, dtype=np.float32))
        return g.op("Relu", 1.0 - distance)

    def sample(self, maps: Value, size: int) -> Value:
        """Maps [N,C,S,S] at every pixel of the tile, [N,C,H,W].

        Two matrix products: faster on a CPU than GridSample, and on every provider.
        """
        g = self._g
        rows = g.op("MatMul", self._weights(0, size), maps)
        columns = g.op("Transpose", self._weights(1, size), perm=[0, 1, 3, 2])
        return g.op("MatMul", rows, columns)

    def long_edge(self) -> Value:
        """Longer edge of the whole image in pixels, [N,1,1,1]."""
        g = self._g
        edges = [self._edges[a] / (self._corner(a + 2) - self._corner(a)) for a in (0, 1)]
        return g.op("Unsqueeze", g.op("Max", *edges), g.ints(2, 3))
