"""Weights back from the exported graphs, so that training goes on without any checkpoint."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

Weights = tuple[np.ndarray, np.ndarray]


def convolutions(path: Path) -> list[Weights]:
    """Weight and bias of every Conv that has a bias, in the order of the graph."""
    graph = onnx.load(path).graph
    tensors = {t.name: t for t in graph.initializer}
    nodes = [n for n in graph.node if n.op_type == "Conv" and len(n.input) == 3]
    return [tuple(numpy_helper.to_array(tensors[name]) for name in n.input[1:]) for n in nodes]


def matched(layers: Iterable[nn.Conv2d], found: list[Weights]) -> list[Weights]:
    """For each layer the next weights of its shape; the graph computes them in the same order.

    Raises ValueError when the graph is not of this network.
    """
    rest, pairs = iter(found), []
    for layer in layers:
        wanted = tuple(layer.weight.shape)
        pair = next((p for p in rest if p[0].shape == wanted), None)
        if pair is None:
            raise ValueError(f"the graph has no convolution {wanted}: it holds another network")
        pairs.append(pair)
    return pairs


def put(target: torch.Tensor, values: np.ndarray) -> None:
    """Overwrite a parameter."""
    with torch.no_grad():
        target.copy_(torch.from_numpy(np.array(values)))


def restore_sr(net: nn.Module, path: Path) -> None:
    """SrNet from a render graph of `upscale`.

    The graph's network may be narrower and have fewer blocks: it is put inside the larger one,
    which begins as the same function (Chen, Goodfellow, Shlens 2016: Net2Net). Raises ValueError
    when it is larger.
    """
    head, *body, tail = [pair for pair in convolutions(path) if pair[0].shape[2:] == (3, 3)]
    if len(tail[1]) != len(net.tail.bias):
        raise ValueError(f"{path} enlarges by another factor")
    if len(body) > len(net.body):
        raise ValueError(f"{path} holds {len(body)} inner convolutions, the network {len(net.body)}")
    for layer, (weight, bias) in zip(
        [net.head, *net.body[: len(body)], net.tail], [head, *body, tail], strict=True
    ):
        _put_inside(layer, weight, bias)


def _put_inside(layer: nn.Conv2d, weight: np.ndarray, bias: np.ndarray) -> None:
    """Old channels hear nothing of the new ones; what new ones hear stays as it is."""
    outputs, inputs = weight.shape[:2]
    if outputs > layer.weight.shape[0] or inputs > layer.weight.shape[1]:
        raise ValueError(f"a convolution {weight.shape} does not fit into {tuple(layer.weight.shape)}")
    with torch.no_grad():
        layer.weight[:outputs, inputs:] = 0
    put(layer.weight[:outputs, :inputs], weight)
    put(layer.bias[:outputs], bias)


def restore_seg(net: nn.Module, path: Path, images: torch.Tensor, index: int = 0) -> None:
    """SegNet from an analyse graph that holds it, perhaps with others before it; norms are folded there.

    `images` [N,3,4G,4G] show the norms what they see, so that training begins where the graph is.
    """
    chains = [
        net.stem,
        net.down1,
        net.down2,
        net.down3,
        [net.everywhere],
        net.up2,
        net.up1,
        [net.opinion],
        [net.again],
        net.up0,
        [net.out],
    ]
    units = [unit for chain in chains for unit in chain]
    layers = [getattr(unit, "conv", unit) for unit in units]
    # Each network stands there twice at each size: for the picture and for its mirrored copy.
    pairs = matched(layers, convolutions(path)[2 * index * len(layers) :])
    for unit, (weight, bias) in zip(units, pairs, strict=True):
        put(getattr(unit, "conv", unit).weight, weight)
        if hasattr(unit, "norm"):
            _plain_norm(unit.norm, bias, np.zeros_like(bias), np.ones_like(bias))
        else:
            put(unit.bias, bias)
    seen: dict[nn.Module, torch.Tensor] = {}
    blocks = [(u, bias) for u, (_, bias) in zip(units, pairs, strict=True) if hasattr(u, "norm")]
    hooks = [u.conv.register_forward_hook(lambda m, _, out: seen.update({m: out})) for u, _ in blocks]
    net.eval()
    with torch.no_grad():
        net(images)
    for hook in hooks:
        hook.remove()
    for unit, bias in blocks:
        values = seen[unit.conv]
        _plain_norm(unit.norm, bias, values.mean((0, 2, 3)).numpy(), values.var((0, 2, 3)).numpy())


def _plain_norm(norm: nn.BatchNorm2d, bias: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> None:
    """A norm of these statistics that does nothing but add `bias`."""
    put(norm.running_mean, mean)
    put(norm.running_var, variance)
    put(norm.weight, np.sqrt(variance + norm.eps))
    put(norm.bias, bias + mean)
