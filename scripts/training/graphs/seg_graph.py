"""The subject networks as ONNX nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import nn

from graphs.boxes import resize
from graphs.cue_graph import Cues, mirror
from graphs.graph import Graph, Value
from networks.seg_net import FEATURES, Block, SegNet


def logits(g: Graph, nets: Sequence[SegNet], image: Value, size: int) -> Value:
    """float32 [N,3,size,size] 0..1 to [N,2,size/2,size/2]: subject, skin.

    The average over the networks and a mirrored copy, in which high confidence outweighs doubt.
    """
    cues, turned_image = Cues(g, image, size // 4), mirror(g, image)
    found = []
    for net in nets:
        emitter = Emitter(g, net)
        straight, turned = emitter.draft(image, cues.maps), emitter.draft(turned_image, cues.mirrored_maps)
        chances = [g.op("Sigmoid", straight.opinion), mirror(g, g.op("Sigmoid", turned.opinion))]
        told, told_of_turned = cues.belonging(chances)
        first = emitter.logits(straight, told)
        second = mirror(g, emitter.logits(turned, mirror(g, told_of_turned)))
        found.append((first + second) * 0.5)
    return mean(found)


def mean(values: Sequence[Value]) -> Value:
    """The mean of values of equal shape."""
    total, *others = values
    for other in others:
        total = total + other
    return total * (1 / len(values)) if others else total


BLOCK = 16
"""Channels that onnxruntime keeps side by side on CPUs with AVX-512, 8 with AVX2."""


@dataclass(frozen=True)
class Draft:
    """The results of a network before it is told which places belong together."""

    fine: Value
    coarse: Value
    opinion: Value
    """Logits [N,1,G,G]."""


class Emitter:
    """Appends a trained SegNet: the same function as `SegNet.opinions`, apart from rounding.

    Layers output whole blocks of channels, padded with zeros. Where the network concatenates values, they are
    convolved separately and added, so that no reordering is necessary between two layers.
    """

    def __init__(self, g: Graph, net: SegNet) -> None:
        self._g = g
        self._net = net

    def draft(self, image: Value, cues: Value) -> Draft:
        """The part up to the first opinion, from float32 [N,3,4G,4G] and [N,FEATURES,G,G]."""
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
        return Draft(fine=x0, coarse=y1, opinion=self._conv(y1, _filled(weight, 1), bias))

    def logits(self, draft: Draft, belonging: Value) -> Value:
        """float32 [N,2,2G,2G], from a draft and the log ratios [N,1,G,G]."""
        net = self._net
        y1 = self._again(draft.coarse, draft.opinion, belonging)
        y0 = self._up(net.up0, y1, draft.fine, net.again.out_channels)
        weight, bias = _plain(net.out)
        return self._conv(y0, _filled(weight, 1), bias, 1)

    def _chain(self, blocks: nn.ModuleList, x: Value) -> Value:
        for block in blocks:
            weight, bias = block.folded()
            x = self._g.op("Relu", self._conv(x, _filled(weight, 0, 1), bias, block.pad, block.stride))
        return x

    def _with_cues(self, block: Block, x: Value, cues: Value) -> Value:
        weight, bias = block.folded()
        own, foreign = np.split(weight, [-FEATURES], axis=1)
        told = self._conv(cues, _filled(foreign, 0), bias, block.pad)
        return self._g.op("Relu", self._conv(x, _filled(own, 0, 1), None, block.pad) + told)

    def _up(self, blocks: nn.ModuleList, coarse: Value, fine: Value, channels: int) -> Value:
        """`channels` of `coarse`, resized after the convolution. The convolution sees only single pixels, so
        the order makes no difference, and it has fewer pixels to process this way.
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
    """Pads with zeros to whole blocks of channels. Axis 0 is the output of a layer, axis 1 its input."""
    return np.pad(weight, [(0, -n % BLOCK if axis in axes else 0) for axis, n in enumerate(weight.shape)])
