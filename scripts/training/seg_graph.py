"""The subject network as ONNX nodes."""

from __future__ import annotations

import numpy as np
from torch import nn

from boxes import pool, resize
from graph import Graph, Value
from seg_net import STRETCH, Block, SegNet, border_index, opponent_matrix, place_grid


class SegEmitter:
    """Appends a trained SegNet; mirrors `SegNet.forward`."""

    def __init__(self, g: Graph, net: SegNet) -> None:
        self._g = g
        self._net = net

    def probabilities(self, image: Value, size: int) -> Value:
        """float32 [N,3,size,size] 0..1 to [N,2,size/2,size/2]: subject, skin; mirrored copy averaged."""
        g = self._g
        straight = self._logits(image, size)
        mirrored = self._mirror(self._logits(self._mirror(image), size))
        return g.op("Sigmoid", (straight + mirrored) * 0.5)

    def _mirror(self, x: Value) -> Value:
        g = self._g
        return g.op("Slice", x, g.ints(-1), g.ints(np.iinfo(np.int64).min), g.ints(3), g.ints(-1))

    def _logits(self, image: Value, size: int) -> Value:
        g, net = self._g, self._net
        x0 = self._chain(net.stem, image * 4.0 - 2.0)
        x1 = self._chain(net.down1[:1], x0)
        x1 = self._chain(net.down1[1:], g.concat([x1, self._features(image, size // 4)], 1))
        x2 = self._chain(net.down2, x1)
        x3 = self._chain(net.down3, x2)
        x3 = g.op("Relu", x3 + self._plain(g.op("GlobalAveragePool", x3), net.everywhere))
        y2 = self._chain(net.up2, g.concat([resize(g, x3, 2), x2], 1))
        y1 = self._chain(net.up1, g.concat([resize(g, y2, 2), x1], 1))
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

    def _features(self, image: Value, side: int) -> Value:
        g = self._g
        cells = pool(g, image, 4)
        colour = g.op("Conv", cells, g.constant(opponent_matrix()[:, :, None, None]))
        place = g.op("Mul", g.slice(cells, 0, 1, 1), 0.0) + place_grid(side)  # takes N from the image
        maps = []
        for colour_weight, place_weight, skip in STRETCH:
            parts = [colour * colour_weight, g.slice(place, 0, 2, 1) * place_weight]
            traits = g.op("Reshape", g.concat(parts, 1), g.ints(0, 5, side * side))
            rim = g.op("Gather", traits, g.constant(border_index(side, bool(skip)), np.int64), axis=2)
            maps.append(g.op("Reshape", self._nearest(traits, rim), g.ints(0, 1, side, side)))
        return g.concat([*maps, place], 1)

    def _nearest(self, traits: Value, rim: Value) -> Value:
        g = self._g
        columns = g.op("Transpose", traits, perm=[0, 2, 1])
        own = g.op("ReduceSum", columns * columns, g.ints(2), keepdims=1)
        other = g.op("ReduceSum", rim * rim, g.ints(1), keepdims=1)
        distance = own + other - g.op("MatMul", columns, rim) * 2.0
        nearest = g.op("ReduceMin", g.op("Relu", distance), axes=[2], keepdims=0)
        return g.op("Sqrt", nearest + 1e-4) * 0.5
