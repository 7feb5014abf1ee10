"""Restores weights from the exported graphs, so that training can continue without a checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from graphs.seg_graph import BLOCK
from networks.seg_net import FEATURES, SegNet, opponent_matrix
from networks.sr_net import SrNet, SrShape

Weights = tuple[np.ndarray, np.ndarray | None]
Part = tuple[nn.Module, slice]
"""A convolution and which of its inputs."""


def convolutions(path: Path) -> list[Weights]:
    """The weight, and the bias if there is one, of every Conv, in the order of the graph."""
    graph = onnx.load(path).graph
    tensors = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    nodes = [n for n in graph.node if n.op_type == "Conv"]
    return [(tensors[n.input[1]], tensors[n.input[2]] if len(n.input) > 2 else None) for n in nodes]


def put(target: torch.Tensor, values: np.ndarray) -> None:
    """Overwrite a parameter."""
    with torch.no_grad():
        target.copy_(torch.from_numpy(np.array(values)))


def load_sr(path: Path) -> SrNet:
    """The SrNet of a render graph of `upscale`. Raises ValueError when there is none."""
    found = [pair for pair in convolutions(path) if pair[1] is not None and pair[0].shape[2:] == (3, 3)]
    if len(found) < 2 or len(found) % 2:
        raise ValueError(f"{path} holds {len(found)} convolutions of 3×3, not a head, pairs and a tail")
    (head, _), *body, (tail, _) = found
    inner = tuple(len(first) for first, _ in body[0::2])
    net = SrNet(SrShape(math.isqrt(len(tail) // 3), len(head), inner))
    for layer, (weight, bias) in zip([net.head, *net.body, net.tail], found, strict=True):
        put(layer.weight, weight)
        put(layer.bias, bias)
    return net


def restore_seg(net: SegNet, path: Path, images: torch.Tensor | None, index: int = 0) -> None:
    """The SegNet of an analyze graph, which may contain other networks before it. Its norms are folded.

    `images` [N,3,4G,4G] are for measuring the norms, so that training begins at the state of the graph.
    Without them, the network is exactly the same function, but cannot be trained. Raises ValueError when the
    graph contains another network.
    """
    draft, answer = list(_draft(net)), list(_answer(net))
    found = [pair for pair in convolutions(path) if pair[0].shape != opponent_matrix().shape + (1, 1)]
    # Each network occurs twice at each size, for the picture and its mirrored copy: drafts, then answers.
    start = 2 * index * len(draft + answer)
    own = found[start : start + len(draft)] + found[start + 2 * len(draft) :][: len(answer)]
    if len(own) < len(draft + answer):
        raise ValueError(f"{path} has {len(found)} convolutions: it holds another network")
    biases = {}
    for (unit, inputs), (weight, bias) in zip(draft + answer, own, strict=True):
        wanted = getattr(unit, "conv", unit).weight[:, inputs]
        if not _holds(weight.shape, wanted.shape):
            raise ValueError(f"{path} has {weight.shape} for {tuple(wanted.shape)}: it holds another network")
        put(wanted, weight[: wanted.shape[0], : wanted.shape[1]])
        if bias is not None:
            biases[unit] = bias[: len(wanted)]
    for unit, bias in biases.items():
        if hasattr(unit, "norm"):
            if images is None:
                unit.norm.eps = 0.0
            _plain_norm(unit.norm, bias, np.zeros_like(bias), np.ones_like(bias))
        else:
            put(unit.bias, bias)
    if images is not None:
        _measure_norms(net, {u: bias for u, bias in biases.items() if hasattr(u, "norm")}, images)


def _draft(net: SegNet) -> Iterator[Part]:
    """Convolutions in the order in which `seg_graph.Emitter` writes them."""
    everything = slice(None)
    yield from ((block, everything) for block in [*net.stem, net.down1[0]])
    yield from _halves(net.down1[1], -FEATURES, reverse=True)
    yield from ((block, everything) for block in [net.down1[2], *net.down2, *net.down3, net.everywhere])
    yield from _way_up(net.up2, net.everywhere.out_channels)
    yield from _way_up(net.up1, net.up2[-1].conv.out_channels)
    yield net.opinion, everything


def _answer(net: SegNet) -> Iterator[Part]:
    yield from _halves(net.again, -2, reverse=True)
    yield from _way_up(net.up0, net.again.out_channels)
    yield net.out, slice(None)


def _way_up(blocks: nn.ModuleList, channels: int) -> Iterator[Part]:
    yield from _halves(blocks[0], channels)
    yield from ((block, slice(None)) for block in blocks[1:])


def _halves(unit: nn.Module, at: int, *, reverse: bool = False) -> list[Part]:
    halves = [(unit, slice(None, at)), (unit, slice(at, None))]
    return halves[::-1] if reverse else halves


def _holds(found: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether a weight has this shape, or this shape padded to whole blocks of channels."""
    return found[2:] == tuple(wanted[2:]) and all(
        f in (w, w + -w % BLOCK) for f, w in zip(found[:2], wanted[:2], strict=True)
    )


def _measure_norms(net: nn.Module, biases: Mapping[nn.Module, np.ndarray], images: torch.Tensor) -> None:
    seen: dict[nn.Module, torch.Tensor] = {}
    hooks = [u.conv.register_forward_hook(lambda m, _, out: seen.update({m: out})) for u in biases]
    net.eval()
    with torch.no_grad():
        net(images)
    for hook in hooks:
        hook.remove()
    for unit, bias in biases.items():
        values = seen[unit.conv]
        _plain_norm(unit.norm, bias, values.mean((0, 2, 3)).numpy(), values.var((0, 2, 3)).numpy())


def _plain_norm(norm: nn.BatchNorm2d, bias: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> None:
    """A norm that only adds `bias` for these statistics."""
    put(norm.running_mean, mean)
    put(norm.running_var, variance)
    put(norm.weight, np.sqrt(variance + norm.eps))
    put(norm.bias, bias + mean)
