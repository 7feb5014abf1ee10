"""The subject networks as ONNX nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import nn

from boxes import pool, resize
from graph import Graph, Value
from seg_net import ALIKE, FEATURES, STRETCH, Block, SegNet, border_index, opponent_matrix, place_grid


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


BLOCK = 16
"""Channels that onnxruntime keeps side by side on CPUs with AVX-512, 8 with AVX2."""


class Emitter:
    """Appends a trained SegNet; the same function as `SegNet.opinions`, but for rounding.

    Layers give whole blocks of channels, filled up with zeros, and what the network concatenates is convolved
    piece by piece and added: then nothing is put in another order between two layers.
    """

    def __init__(self, g: Graph, net: SegNet) -> None:
        self._g = g
        self._net = net

    def logits(self, image: Value, cues: Cues) -> Value:
        """float32 [N,2,2G,2G]."""
        g, net = self._g, self._net
        weight, bias = net.stem[0].folded()
        x0 = g.op("Relu", self._conv(image * 4.0 - 2.0, _filled(weight, 0), bias, 1, 2))
        x0 = self._chain(net.stem[1:], x0)
        x1 = self._chain(net.down1[:1], x0)
        x1 = self._chain(net.down1[2:], self._with_cues(net.down1[1], x1, cues))
        x2 = self._chain(net.down2, x1)
        x3 = self._chain(net.down3, x2)
        weight, bias = _plain(net.everywhere)
        x3 = g.op("Relu", x3 + self._conv(g.op("GlobalAveragePool", x3), _filled(weight, 0, 1), bias))
        y2 = self._up(net.up2, x3, x2, net.everywhere.out_channels)
        y1 = self._up(net.up1, y2, x1, net.up2[-1].conv.out_channels)
        weight, bias = _plain(net.opinion)
        first = self._conv(y1, _filled(weight, 1), bias)
        y1 = self._again(y1, first, cues.belonging(g.op("Sigmoid", first)))
        y0 = self._up(net.up0, y1, x0, net.again.out_channels)
        weight, bias = _plain(net.out)
        return self._conv(y0, _filled(weight, 1), bias, 1)

    def _chain(self, blocks: nn.ModuleList, x: Value) -> Value:
        for block in blocks:
            weight, bias = block.folded()
            x = self._g.op("Relu", self._conv(x, _filled(weight, 0, 1), bias, block.pad, block.stride))
        return x

    def _with_cues(self, block: Block, x: Value, cues: Cues) -> Value:
        weight, bias = block.folded()
        own, foreign = np.split(weight, [-FEATURES], axis=1)
        told = self._conv(self._g.concat(cues.maps, 1), _filled(foreign, 0), bias, block.pad)
        return self._g.op("Relu", self._conv(x, _filled(own, 0, 1), None, block.pad) + told)

    def _up(self, blocks: nn.ModuleList, coarse: Value, fine: Value, channels: int) -> Value:
        """`channels` of `coarse`, whose part is resized after the convolution: that sees single pixels only,
        so the order makes no difference, and there are fewer of them.
        """
        weight, bias = blocks[0].folded()
        below, beside = np.split(weight, [channels], axis=1)
        grown = resize(self._g, self._conv(coarse, _filled(below, 0, 1)), 2)
        x = self._g.op("Relu", self._conv(fine, _filled(beside, 0, 1), bias) + grown)
        return self._chain(blocks[1:], x)

    def _again(self, x: Value, first: Value, belonging: Value) -> Value:
        g = self._g
        weight, bias = _plain(self._net.again)
        own, foreign = np.split(weight, [-2], axis=1)
        told = self._conv(g.concat([first * 0.25, belonging], 1), _filled(foreign, 0), bias, 1)
        return g.op("Relu", self._conv(x, _filled(own, 0, 1), None, 1) + told + x)

    def _conv(
        self, x: Value, weight: np.ndarray, bias: np.ndarray | None = None, pad: int = 0, stride: int = 1
    ) -> Value:
        g = self._g
        more = [] if bias is None else [g.constant(np.pad(bias, (0, len(weight) - len(bias))))]
        return g.op("Conv", x, g.constant(weight), *more, pads=[pad] * 4, strides=[stride] * 2)


def _plain(layer: nn.Conv2d) -> tuple[np.ndarray, np.ndarray]:
    return layer.weight.detach().numpy(), layer.bias.detach().numpy()


def _filled(weight: np.ndarray, *axes: int) -> np.ndarray:
    """Zeros up to whole blocks of channels: axis 0 is what a layer gives, 1 what it takes."""
    return np.pad(weight, [(0, -n % BLOCK if axis in axes else 0) for axis, n in enumerate(weight.shape)])


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
        return g.op("MatMul", left * factor, right)
