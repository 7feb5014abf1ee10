"""Creates a network of another size that begins as the same function, or nearly so."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from networks.sr_net import SrNet, SrShape

SAMPLES = 24_000
"""Places whose values a second convolution is fitted to."""
RIDGE = 1e-4
"""Of the mean square of a channel: dead ones would leave the fit without an answer."""


@torch.no_grad()
def resized(net: SrNet, shape: SrShape, images: Tensor) -> SrNet:
    """Grown (every size at least that of `net`) or pruned (fewer inner channels, all else equal).

    `images` float32 [N,3,H,W] 0..1 determine which channels matter. Raises ValueError for other shapes.
    """
    old = net.shape
    if shape.factor != old.factor:
        raise ValueError(f"a network that enlarges {old.factor} times can't begin one for {shape.factor}")
    same_frame = (shape.width, len(shape.inner)) == (old.width, len(old.inner))
    if same_frame and all(new <= was for new, was in zip(shape.inner, old.inner, strict=True)):
        return _cut(net, shape, images)
    deeper = len(shape.inner) >= len(old.inner)
    wider = shape.width >= old.width and all(
        new >= was for new, was in zip(shape.inner, old.inner, strict=False)
    )
    if deeper and wider:
        return _grown(net, shape)
    raise ValueError(f"{old} can be grown or have inner channels cut, but not become {shape}")


def _grown(net: SrNet, shape: SrShape) -> SrNet:
    """The old network inside the new one (Chen, Goodfellow, Shlens 2016: Net2Net)."""
    grown = SrNet(shape)
    new = [grown.head, *grown.body[: len(net.body)], grown.tail]
    for target, source in zip(new, [net.head, *net.body, net.tail], strict=True):
        _put_inside(target, source)
    return grown


def _put_inside(target: nn.Conv2d, source: nn.Conv2d) -> None:
    """Old channels get no input from new ones. The inputs of new ones stay as they are."""
    outputs, inputs = source.weight.shape[:2]
    target.weight[:outputs, inputs:] = 0
    target.weight[:outputs, :inputs] = source.weight
    target.bias[:outputs] = source.bias


def _cut(net: SrNet, shape: SrShape, images: Tensor) -> SrNet:
    """Keeps the inner channels that contribute most, and compensates for the others by least squares.

    He, Zhang, Sun 2017: Channel Pruning for Accelerating Very Deep Neural Networks; selects channels by the
    energy of their contribution instead of a lasso.
    """
    small = SrNet(shape)
    small.head.load_state_dict(net.head.state_dict())
    small.tail.load_state_dict(net.tail.state_dict())
    x = F.relu(net.head(images))
    for (first, second), (new_first, new_second) in zip(net.blocks, small.blocks, strict=True):
        inner = F.relu(first(x))
        added = second(inner)
        energy = inner.square().mean((0, 2, 3)) * second.weight.square().sum((0, 2, 3))
        kept = energy.topk(new_first.out_channels).indices.sort().values
        new_first.weight.copy_(first.weight[kept])
        new_first.bias.copy_(first.bias[kept])
        _refit(new_second, inner[:, kept], added)
        x = F.relu(x + added)
    return small


def _refit(conv: nn.Conv2d, source: Tensor, wanted: Tensor) -> None:
    """The 3×3 weights that map `source` [N,C,H,W] as closely as possible to `wanted` [N,D,H,W]."""
    patches = F.unfold(source, 3, padding=1).transpose(1, 2).flatten(0, 1)
    picked = torch.randint(len(patches), (SAMPLES,), generator=torch.Generator().manual_seed(0))
    rows = F.pad(patches[picked].double(), (0, 1), value=1.0)
    targets = wanted.flatten(2).transpose(1, 2).flatten(0, 1)[picked].double()
    square = rows.T @ rows
    square += RIDGE * square.diagonal().mean() * torch.eye(len(square), dtype=square.dtype)
    solved = torch.linalg.solve(square, rows.T @ targets).float()
    conv.weight.copy_(solved[:-1].T.reshape(conv.weight.shape))
    conv.bias.copy_(solved[-1])
