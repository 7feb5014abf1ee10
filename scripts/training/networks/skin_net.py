"""Skin detection by color: a tiny perceptron per pixel, trained on computed skin tones."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from drawing.palette import Palette
from drawing.skin_tones import draw_skin, light
from graphs.graph import Graph, Value
from graphs.pixels import luma

Rng = np.random.Generator
FLOOR = 0.03
"""Keeps the logarithms of dark colors quiet."""


class SkinNet(nn.Module):
    """Colors [K,3] sRGB 0..1 to logits [K]. The inputs are two log ratios and lightness."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 24), nn.Linear(24, 24), nn.Linear(24, 1)])

    def forward(self, colors: Tensor) -> Tensor:
        red, green, blue = (torch.log(colors + FLOOR)).unbind(1)
        gray = colors @ torch.tensor([0.299, 0.587, 0.114])
        x = torch.stack([(red - green) * 3, (green - blue) * 3, gray * 2], 1)
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)[:, 0]


def draw_others(rng: Rng, count: int) -> np.ndarray:
    """Colors of everything else: palettes of drawn scenes, and the whole RGB cube."""
    drawn = np.stack([Palette(rng).color() for _ in range(count // 2)])
    shaded = drawn * np.exp(rng.normal(0, 0.3, (len(drawn), 1)))
    return np.clip(np.concatenate([shaded, rng.random((count - len(drawn), 3))]), 0, 1)


def train_skin(rng: Rng, steps: int) -> SkinNet:
    """Trains with two balanced classes. The output is a likelihood ratio, not a frequency."""
    net = SkinNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, steps)
    others = draw_others(rng, 60_000)
    for _ in range(steps):
        skin = light(rng, draw_skin(rng, 1024))
        colors = np.concatenate([skin, others[rng.integers(len(others), size=1024)]])
        truth = torch.cat([torch.ones(1024), torch.zeros(1024)])
        logits = net(torch.from_numpy(colors.astype(np.float32)))
        loss = nn.functional.binary_cross_entropy_with_logits(logits, truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    print(f"skin color: loss {loss.item():.3f}", flush=True)
    return net


def emit_skin(g: Graph, net: SkinNet, rgb: Value) -> Value:
    """Logits [N,1,H,W] of `rgb` [N,3,H,W]. Linear layers become 1×1 convolutions."""
    log = g.op("Log", rgb + FLOOR)
    red, green, blue = g.ops("Split", 3, log, axis=1)
    x = g.concat([(red - green) * 3.0, (green - blue) * 3.0, luma(g, rgb) * 2.0], 1)
    for i, layer in enumerate(net.layers):
        weight, bias = layer.weight.detach().numpy()[:, :, None, None], layer.bias.detach().numpy()
        x = g.op("Conv", x, g.constant(weight), g.constant(bias))
        x = g.op("Relu", x) if i < len(net.layers) - 1 else x
    return x
