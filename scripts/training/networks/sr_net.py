"""The super-resolution network: 3×3 convolutions on the small image, added to the bicubic enlargement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from graphs.graph import Graph, Value
from pools.resample import keys_cubic

COLOURED = 0.05
"""Difference of a pixel's channels (of 1) from which what the network adds may have color in full."""


@dataclass(frozen=True)
class SrShape:
    """The size of a network."""

    factor: int
    width: int
    """Channels that run through all residual blocks."""
    inner: tuple[int, ...]
    """Channels between the two convolutions of each residual block; as many as there are blocks."""

    @property
    def receptive_field(self) -> int:
        """Radius in input pixels: every convolution in a chain adds one pixel."""
        return 2 * len(self.inner) + 2


class SrNet(nn.Module):
    """float32 [N,3,H,W] 0..1 to [N,3,H·factor,W·factor] (Shi et al. 2016: ESPCN's sub-pixel head)."""

    def __init__(self, shape: SrShape) -> None:
        super().__init__()
        self.shape = shape
        width = shape.width
        self.head = nn.Conv2d(3, width, 3, padding=1)
        ways = [way for inner in shape.inner for way in ((width, inner), (inner, width))]
        self.body = nn.ModuleList(nn.Conv2d(*way, 3, padding=1) for way in ways)
        self.tail = nn.Conv2d(width, 3 * shape.factor**2, 3, padding=1)
        self.register_buffer("bicubic", torch.from_numpy(bicubic_phases(shape.factor, 3)))
        for conv in self.body[1::2]:
            nn.init.zeros_(conv.weight)  # every block starts as the identity
            nn.init.zeros_(conv.bias)
        nn.init.normal_(self.tail.weight, std=1e-3)
        nn.init.zeros_(self.tail.bias)

    @property
    def blocks(self) -> Iterator[tuple[nn.Conv2d, nn.Conv2d]]:
        """The two convolutions of each residual block."""
        return zip(self.body[0::2], self.body[1::2], strict=True)

    def forward(self, image: Tensor) -> Tensor:
        x = F.relu(self.head(image))
        for first, second in self.blocks:
            x = F.relu(x + second(F.relu(first(x))))
        base = F.conv2d(F.pad(image, (2, 2, 2, 2), mode="replicate"), self.bicubic, groups=3)
        return F.pixel_shuffle(self.tail(x) + base, self.shape.factor)


def bicubic_phases(factor: int, channels: int) -> np.ndarray:
    """Bicubic enlargement (half-pixel centers) as a grouped 5×5 convolution before the pixel shuffle.

    float32 [channels·factor², 1, 5, 5]. Cheaper on a CPU than a cubic Resize node.
    """
    offsets = (np.arange(factor) + 0.5) / factor - 0.5
    taps = keys_cubic(np.arange(-2, 3)[None, :] - offsets[:, None])
    kernels = np.einsum("ay,bx->abyx", taps, taps).reshape(factor**2, 1, 5, 5)
    return np.tile(kernels, (channels, 1, 1, 1)).astype(np.float32)


def emit(g: Graph, net: SrNet, image: Value) -> Value:
    """Append the network. `image`: float32 [N,3,H,W] 0..1. Returns phases [N,3·factor²,H,W]."""

    def conv(x: Value, layer: nn.Module) -> Value:
        weight, bias = layer.weight.detach().numpy(), layer.bias.detach().numpy()
        return g.op("Conv", x, g.constant(weight), g.constant(bias), pads=[1, 1, 1, 1])

    x = g.op("Relu", conv(image, net.head))
    for first, second in net.blocks:
        x = g.op("Relu", x + conv(g.op("Relu", conv(x, first)), second))
    detail = as_colored(g, conv(x, net.tail), image, net.shape.factor)
    return detail + enlarge_phases(g, image, net.shape.factor, 3)


def as_colored(g: Graph, detail: Value, image: Value, factor: int) -> Value:
    """`detail` [N,3·factor²,H,W], made gray where the picture is gray, because networks tint hard gray edges."""
    channels = [g.slice(detail, c * factor**2, (c + 1) * factor**2, 1) for c in range(3)]
    gray = (channels[0] + channels[1] + channels[2]) * (1 / 3)
    high, low = (g.op(kind, image, axes=[1], keepdims=1) for kind in ("ReduceMax", "ReduceMin"))
    near = g.op("MaxPool", high - low, kernel_shape=[5, 5], strides=[1, 1], pads=[2, 2, 2, 2])
    share = g.clip(near * (1 / COLOURED), 0.0, 1.0)
    return g.concat([gray + share * (channel - gray) for channel in channels], 1)


def enlarge_phases(g: Graph, image: Value, factor: int, channels: int) -> Value:
    """Bicubic phases [N,channels·factor²,H,W]. The halo makes the zero padding harmless."""
    kernel = g.constant(bicubic_phases(factor, channels))
    return g.op("Conv", image, kernel, group=channels, pads=[2, 2, 2, 2])
