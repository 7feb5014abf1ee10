"""Cues that distinguish a place regardless of what it shows, as ONNX nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphs.boxes import pool
from graphs.graph import Graph, Value
from networks.seg_net import ALIKE, STRETCH, border_index, opponent_matrix, place_grid

TABLE = 2**20
"""Numbers of a table that a CPU keeps near while three operators work on them one after the other."""


def mirror(g: Graph, x: Value) -> Value:
    """Mirror horizontally, [N,C,H,W]."""
    return g.op("Slice", x, g.ints(-1), g.ints(np.iinfo(np.int64).min), g.ints(3), g.ints(-1))


class Cues:
    """Computes `seg_net.cues` and `seg_net.belonging`, once for all networks that see the picture.

    The cues of a mirrored copy are the mirrored cues.
    """

    def __init__(self, g: Graph, image: Value, side: int) -> None:
        self._g = g
        self._side = side
        self._color = g.op("Conv", pool(g, image, 4), g.constant(opponent_matrix()[:, :, None, None]))
        # Takes N from the image.
        self._place = g.op("Mul", g.slice(self._color, 0, 1, 1), 0.0) + place_grid(side)
        distances, (up, down, left, right, least) = self._border_distances(), self._straight_ways()
        self.maps = g.concat([*distances, self._place, up, down, left, right, least], 1)
        """float32 [N,FEATURES,G,G]."""
        mirrored = mirror(g, g.concat([*distances, up, down, right, left, least], 1))
        count = len(distances)
        self.mirrored_maps = g.concat(
            [g.slice(mirrored, 0, count, 1), self._place, g.slice(mirrored, count, count + 5, 1)], 1
        )
        """Those of the mirrored picture."""
        self._alike = self._kernel()

    def belonging(self, chances: Sequence[Value]) -> list[Value]:
        """Log ratios [N,1,G,G], -4..4, for each of `chances` [N,1,G,G]. The table is read only once."""
        g, side, count = self._g, self._side, len(chances)
        inside = g.op("Reshape", pool(g, g.concat(list(chances), 1), 2), g.ints(0, count, side * side // 4))
        both = g.op("Transpose", g.concat([inside, 1.0 - inside], 1), perm=[0, 2, 1])
        sums = g.concat([g.op("MatMul", rows, both) for rows in self._alike], 1)
        density = sums / (g.op("ReduceSum", both, g.ints(1), keepdims=1) + 1e-3)
        logs = g.op("Log", density + 1e-3)
        ratio = g.clip(g.slice(logs, 0, count, 2) - g.slice(logs, count, 2 * count, 2), -4.0, 4.0)
        maps = g.op("Reshape", g.op("Transpose", ratio, perm=[0, 2, 1]), g.ints(0, count, side, side))
        return g.ops("Split", count, maps, axis=1)

    def _border_distances(self) -> list[Value]:
        g, side = self._g, self._side
        maps = []
        for color_weight, place_weight, skip in STRETCH:
            traits = self._flat(self._traits(color_weight, place_weight))
            rim = g.op("Gather", traits, g.constant(border_index(side, bool(skip)), np.int64), axis=2)
            nearest = g.op("Relu", g.op("ReduceMin", self._squares(traits, rim), axes=[2], keepdims=0))
            maps.append(g.op("Reshape", g.op("Sqrt", nearest + 1e-4) * 0.5, g.ints(0, 1, side, side)))
        return maps

    def _straight_ways(self) -> list[Value]:
        g, side, far = self._g, self._side, self._side - 1
        negative, ways = self._color * -1.0, []
        for kernel, pads in (
            ([side, 1], [far, 0, 0, 0]),
            ([side, 1], [0, 0, far, 0]),
            ([1, side], [0, far, 0, 0]),
            ([1, side], [0, 0, 0, far]),
        ):
            both = [g.op("MaxPool", x, kernel_shape=kernel, pads=pads) for x in (self._color, negative)]
            ways.append(g.op("ReduceSum", both[0] + both[1], g.ints(1), keepdims=1))
        return [*ways, g.op("Min", *ways)]

    def _kernel(self) -> list[Value]:
        """Similarity of cells, [N,P,Q] in groups of rows."""
        g, count = self._g, max(1, self._side**4 // 4 // TABLE)
        traits = self._traits(*ALIKE)
        rows, columns = self._factors(self._flat(traits), self._flat(pool(g, traits, 2)), -0.5)
        groups = g.ops("Split", count, rows, axis=1)
        # Rounding errors above 0 make a difference of at most a thousandth.
        return [g.op("Exp", g.op("MatMul", group, columns)) for group in groups]

    def _traits(self, color_weight: float, place_weight: float) -> Value:
        g = self._g
        return g.concat([self._color * color_weight, g.slice(self._place, 0, 2, 1) * place_weight], 1)

    def _flat(self, traits: Value) -> Value:
        return self._g.op("Reshape", traits, self._g.ints(0, 5, -1))

    def _squares(self, own: Value, other: Value) -> Value:
        """Squared distances [N,P,Q] of [N,5,P] and [N,5,Q], apart from rounding."""
        return self._g.op("MatMul", *self._factors(own, other))

    def _factors(self, own: Value, other: Value, factor: float = 1.0) -> tuple[Value, Value]:
        """[N,P,7] and [N,7,Q], whose product is `factor` times the squared distances of [N,5,P] and [N,5,Q].

        The product computes |a|² + |b|² - 2ab in one pass, because every pass over P × Q numbers takes the
        same time.
        """
        g = self._g
        columns = g.op("Transpose", own, perm=[0, 2, 1])
        own_square = g.op("ReduceSum", columns * columns, g.ints(2), keepdims=1)
        other_square = g.op("ReduceSum", other * other, g.ints(1), keepdims=1)
        left = g.concat([columns * -2.0, own_square, own_square * 0.0 + 1.0], 2)
        right = g.concat([other, other_square * 0.0 + 1.0, other_square], 1)
        return left * factor, right
