"""Determines what a picture needs, trained by reverting damage: traits of the picture in, tone coefficients
out.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from graphs.graph import Graph, Value
from graphs.picture_stats import measure, neutral_gains

PERCENTS = (1, 5, 10, 25, 50, 75, 90, 95, 99)
COUNT = 8
"""Coefficients: log gains r, g, b; black; white scale; lift; contrast; color."""
REACH = np.array([0.22, 0.22, 0.22, 0.1, 0.45, 1.6, 0.35, 0.45], np.float32)
"""Largest deviation of each from doing nothing."""
WIDTH = 40


class ToneNet(nn.Module):
    """Traits [K,T] to coefficients [K,COUNT], each within ± REACH. 0 has no effect."""

    def __init__(self, center: np.ndarray, spread: np.ndarray) -> None:
        super().__init__()
        self.center, self.spread = torch.from_numpy(center), torch.from_numpy(spread)
        sizes = (len(center), WIDTH, WIDTH, COUNT)
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])
        nn.init.zeros_(self.layers[-1].weight)

    def forward(self, traits: Tensor) -> Tensor:
        x = (traits - self.center) / self.spread
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return torch.tanh(self.layers[-1](x)) * torch.from_numpy(REACH)


def toned(rgb: Tensor, coefficients: Tensor) -> Tensor:
    """Applies coefficients [K,COUNT] to pixels [K,3,H,W] 0..1: `tone_graphs` without its edge-aware light."""
    c = coefficients[:, :, None, None]
    gains, (black, scale, lift, contrast, color) = c[:, :3], c[:, 3:].split(1, 1)
    level = torch.exp(gains - (gains * torch.tensor([0.299, 0.587, 0.114])[:, None, None]).sum(1, True))
    balanced = torch.relu(rgb * level - black) / (1 - black) * torch.exp(scale)
    bright = ((_luma(balanced) + balanced.amax(1, True)) * 0.5).clamp(0, 1)
    k = torch.exp(lift)
    gain = k / (1 + (k - 1) * bright)
    lifted = (gain * bright).clamp(0, 1)
    gain = gain * (1 + contrast * 4 * (1 - lifted) * (lifted - 0.42))
    result = balanced * gain
    gray = _luma(result)
    return gray + (result - gray) * (1 + color)


def _luma(rgb: Tensor) -> Tensor:
    return (rgb * torch.tensor([0.299, 0.587, 0.114])[:, None, None]).sum(1, True)


def emit_traits(g: Graph, cells: Value, count: int) -> Value:
    """Traits [N,T,1,1] of `cells` [N,3,h,w], h·w = `count`."""
    stats = measure(g, cells, count, PERCENTS)
    quantiles = g.concat([stats.quantiles[p] for p in PERCENTS], 1)
    log = g.op("Log", quantiles + 0.02)
    gains, evidence = neutral_gains(g, cells)
    spread = g.op("GlobalAveragePool", cells * cells) - stats.channels * stats.channels
    return g.concat([quantiles, log, stats.channels, spread, gains, evidence, stats.saturation], 1)


def emit_tone(g: Graph, net: ToneNet, traits: Value) -> Value:
    """Coefficients [N,COUNT,1,1] of traits [N,T,1,1]. Linear layers become 1×1 convolutions."""
    center, spread = (t.numpy()[None, :, None, None] for t in (net.center, net.spread))
    x = (traits - center) * (1 / spread)
    for i, layer in enumerate(net.layers):
        weight, bias = layer.weight.detach().numpy()[:, :, None, None], layer.bias.detach().numpy()
        x = g.op("Conv", x, g.constant(weight), g.constant(bias))
        x = g.op("Relu" if i < len(net.layers) - 1 else "Tanh", x)
    return x * REACH[None, :, None, None]
