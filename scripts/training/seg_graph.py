"""The subject networks as ONNX nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import nn

from boxes import pool, resize
from graph import Graph, Value
from seg_net import ALIKE, STRETCH, Block, SegNet, border_index, opponent_matrix, place_grid


def logits(g: Graph, nets: Sequence[SegNet], image: Value, size: int) -> Value:
    """float32 [N,3,size,size] 0..1 to [N,2,size/2,size/2]: subject, skin.

    Averaged over the networks and a mirrored copy: who is sure outweighs who doubts.
    """
    mirrored, seen = _mirror(g, image), Cues(g, image, size // 4)
    views = [(image, seen), (mirrored, Cues(g, mirrored, size // 4, mirror_of=seen))]
    found = []
    for net in nets:
        straight, turned = (Emitter(g, net).logits(view, cues) for view, cues in views)
        found.append((straight + _mirror(g, turned)) * 0.5)
    return mean(found)


def mean(values: Sequence[Value]) -> Value:
    """Of equal shapes."""
    total, *others = values
    for other in others:
        total = total + other
    return total * (1 / len(values)) if others else total


def _mirror(g: Graph, x: Value) -> Value:
    return g.op("Slice", x, g.ints(-1), g.ints(np.iinfo(np.int64).min), g.ints(3), g.ints(-1))


class Emitter:
    """Appends a trained SegNet; mirrors `SegNet.opinions`."""

    def __init__(self, g: Graph, net: SegNet) -> None:
        self._g = g
        self._net = net

    def logits(self, image: Value, cues: Cues) -> Value:
        """float32 [N,2,2G,2G]."""
        g, net = self._g, self._net
        x0 = self._chain(net.stem, image * 4.0 - 2.0)
        x1 = self._chain(net.down1[:1], x0)
        x1 = self._chain(net.down1[1:], g.concat([x1, *cues.maps], 1))
        x2 = self._chain(net.down2, x1)
        x3 = self._chain(net.down3, x2)
        x3 = g.op("Relu", x3 + self._plain(g.op("GlobalAveragePool", x3), net.everywhere))
        y2 = self._chain(net.up2, g.concat([resize(g, x3, 2), x2], 1))
        y1 = self._chain(net.up1, g.concat([resize(g, y2, 2), x1], 1))
        first = self._plain(y1, net.opinion)
        belonging = cues.belonging(g.op("Sigmoid", first))
        y1 = g.op("Relu", y1 + self._plain(g.concat([y1, first * 0.25, belonging], 1), net.again))
        y0 = self._chain(net.up0, g.concat([resize(g, y1, 2), x0], 1))
        return self._plain(y0, net.out)

    def _chain(self, blocks: nn.ModuleList, x: Value) -> Value:
        for block in blocks:
            x = self._block(block, x)
        return x

    def _block(self, block: Block, x: Value) -> Value:
        g = self._g
        weight, bias = block.folded()
        folded = g.op(
            "Conv", x, g.constant(weight), g.constant(bias), pads=[block.pad] * 4, strides=[block.stride] * 2
        )
        return g.op("Relu", folded)

    def _plain(self, x: Value, layer: nn.Conv2d) -> Value:
        weight, bias = layer.weight.detach().numpy(), layer.bias.detach().numpy()
        return self._g.op(
            "Conv", x, self._g.constant(weight), self._g.constant(bias), pads=[layer.padding[0]] * 4
        )


class Cues:
    """What `seg_net.cues` and `seg_net.belonging` compute, once for all networks that see the picture.

    Which places are alike is computed once for a picture and its mirrored copy.
    """

    def __init__(self, g: Graph, image: Value, side: int, mirror_of: Cues | None = None) -> None:
        self._g = g
        self._side = side
        self._mirror_of = mirror_of
        self._colour = g.op("Conv", pool(g, image, 4), g.constant(opponent_matrix()[:, :, None, None]))
        # Takes N from the image.
        self._place = g.op("Mul", g.slice(self._colour, 0, 1, 1), 0.0) + place_grid(side)
        self.maps = [*self._border_distances(), self._place, *self._straight_ways()]
        self._alike = self._kernel() if mirror_of is None else None

    def belonging(self, chance: Value) -> Value:
        """Log ratio [N,1,G,G], -4..4, of `chance` [N,1,G,G]."""
        g, side = self._g, self._side
        if self._mirror_of is not None:
            return _mirror(g, self._mirror_of.belonging(_mirror(g, chance)))
        inside = g.op("Reshape", pool(g, chance, 2), g.ints(0, side * side // 4, 1))
        both = g.concat([inside, 1.0 - inside], 2)
        density = g.op("MatMul", self._alike, both) / (g.op("ReduceSum", both, g.ints(1), keepdims=1) + 1e-3)
        logs = g.op("Log", density + 1e-3)
        ratio = g.clip(g.slice(logs, 0, 1, 2) - g.slice(logs, 1, 2, 2), -4.0, 4.0)
        return g.op("Reshape", ratio, g.ints(0, 1, side, side))

    def _border_distances(self) -> list[Value]:
        g, side = self._g, self._side
        maps = []
        for colour_weight, place_weight, skip in STRETCH:
            traits = self._flat(self._traits(colour_weight, place_weight))
            rim = g.op("Gather", traits, g.constant(border_index(side, bool(skip)), np.int64), axis=2)
            nearest = g.op("Relu", g.op("ReduceMin", self._squares(traits, rim), axes=[2], keepdims=0))
            maps.append(g.op("Reshape", g.op("Sqrt", nearest + 1e-4) * 0.5, g.ints(0, 1, side, side)))
        return maps

    def _straight_ways(self) -> list[Value]:
        g, side, far = self._g, self._side, self._side - 1
        negative, ways = self._colour * -1.0, []
        for kernel, pads in (
            ([side, 1], [far, 0, 0, 0]),
            ([side, 1], [0, 0, far, 0]),
            ([1, side], [0, far, 0, 0]),
            ([1, side], [0, 0, 0, far]),
        ):
            both = [g.op("MaxPool", x, kernel_shape=kernel, pads=pads) for x in (self._colour, negative)]
            ways.append(g.op("ReduceSum", both[0] + both[1], g.ints(1), keepdims=1))
        return [*ways, g.op("Min", *ways)]

    def _kernel(self) -> Value:
        traits = self._traits(*ALIKE)
        # What rounding leaves above 0 makes a thousandth of difference at most.
        return self._g.op(
            "Exp", self._squares(self._flat(traits), self._flat(pool(self._g, traits, 2)), -0.5)
        )

    def _traits(self, colour_weight: float, place_weight: float) -> Value:
        g = self._g
        return g.concat([self._colour * colour_weight, g.slice(self._place, 0, 2, 1) * place_weight], 1)

    def _flat(self, traits: Value) -> Value:
        return self._g.op("Reshape", traits, self._g.ints(0, 5, -1))

    def _squares(self, own: Value, other: Value, factor: float = 1.0) -> Value:
        """Squared distances [N,P,Q] of [N,5,P] and [N,5,Q], times `factor`, but for rounding.

        One product gives |a|² + |b|² - 2ab: each pass over P × Q numbers takes as long.
        """
        g = self._g
        columns = g.op("Transpose", own, perm=[0, 2, 1])
        own_square = g.op("ReduceSum", columns * columns, g.ints(2), keepdims=1)
        other_square = g.op("ReduceSum", other * other, g.ints(1), keepdims=1)
        left = g.concat([columns * -2.0, own_square, own_square * 0.0 + 1.0], 2)
        right = g.concat([other, other_square * 0.0 + 1.0, other_square], 1)
        return g.op("MatMul", left * factor if factor != 1.0 else left, right)
