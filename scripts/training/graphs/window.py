"""Samples a whole-image map inside a tile, from the tile's position in the image."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphs.graph import DOUBLE, FLOAT, INT64, Graph, Value


@dataclass(frozen=True)
class _Line:
    """The positions of the tiles on one axis of a map."""

    first: Value
    end: Value
    """First cell, and the one after the last, of all tiles of the batch; int64 [1]."""
    weights: Value
    """Of these cells for each pixel, [N,1,L,end-first]."""


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

    def _centers(self, axis: int) -> Value:
        """Pixel centers along `axis` (0 rows, 1 columns) in units of the whole image, [N,L]."""
        g, edge = self._g, self._edges[axis]
        index = g.op("Range", 0.0, edge, 1.0)
        low, high = self._corner(axis), self._corner(axis + 2)
        return low + g.op("Unsqueeze", (index + 0.5) / edge, g.ints(0)) * (high - low)

    def _line(self, axis: int, size: int) -> _Line:
        """Bilinear weights along `axis`, clamped to the border."""
        g = self._g
        at = g.clip(self._centers(axis) * float(size) - 0.5, 0.0, size - 1.0)
        first = self._cell("ReduceMin", axis, size)
        end = g.op("Min", self._cell("ReduceMax", axis + 2, size) + g.ints(2), g.ints(size))
        cells = g.op("Slice", g.constant(np.arange(size, dtype=np.float32)), first, end, g.ints(0))
        distance = g.op("Abs", g.op("Unsqueeze", at, g.ints(1, 3)) - cells)
        return _Line(first, end, g.op("Relu", 1.0 - distance))

    def _cell(self, extreme: str, index: int, size: int) -> Value:
        """The cell that contains the lowest or highest corner of the batch, int64 [1].

        WebGPU has no double precision, so the CPU computes this without waiting for the GPU.
        """
        g = self._g
        corner = g.op(extreme, g.cast(self._corner(index), DOUBLE), keepdims=0)
        scaled = corner * g.constant(float(size), np.float64) - g.constant(0.5, np.float64)
        # Tiles extend beyond the border of the picture, and parts of them may lie outside.
        inside = g.op("Clip", scaled, g.constant(0.0, np.float64), g.constant(size - 1.0, np.float64))
        return g.cast(g.op("Reshape", g.op("Floor", inside), g.ints(1)), INT64)

    def sample(self, maps: Value, size: int) -> Value:
        """Maps [N,C,S,S] at every pixel of the tile, [N,C,H,W].

        Two matrix products with the part of the maps that the tiles cover. This is faster on a CPU than
        GridSample, and works with every provider.
        """
        g = self._g
        rows, columns = self._line(0, size), self._line(1, size)
        first, end = (g.concat(ends, 0) for ends in ([rows.first, columns.first], [rows.end, columns.end]))
        part = g.op("Slice", maps, first, end, g.ints(2, 3))
        across = g.op("Transpose", columns.weights, perm=[0, 1, 3, 2])
        return g.op("MatMul", g.op("MatMul", rows.weights, part), across)

    def long_edge(self) -> Value:
        """Longer edge of the whole image in pixels, [N,1,1,1]."""
        g = self._g
        edges = [self._edges[a] / (self._corner(a + 2) - self._corner(a)) for a in (0, 1)]
        return g.op("Unsqueeze", g.op("Max", *edges), g.ints(2, 3))
