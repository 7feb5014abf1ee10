"""Megapixels per second of the networks of `upscale` in PyTorch, for comparison with the service. Prints JSON.

The weights are random, because they do not affect the time. Shapes are those of scripts/training/train_upscale.py, and
tiles those of models/upscale/1/manifest.json.
"""

from __future__ import annotations

import argparse
import json
import time

import torch
from torch import nn
from torch.nn import functional as F

TILE = 192
NETWORKS = {
    "low": (2, 32, (16,) * 3, 8),
    "medium": (2, 64, (16, 32, 32, 48, 48, 32), 14),
    "high": (4, 48, (48,) * 4, 10),
}
"""By level: factor, width, inner channels of each block, and halo of a tile."""


class SrNet(nn.Module):
    """The network of scripts/training/networks/sr_net.py without its color rule."""

    def __init__(self, factor: int, width: int, inner: tuple[int, ...]) -> None:
        super().__init__()
        self.factor = factor
        self.head = nn.Conv2d(3, width, 3, padding=1)
        self.first = nn.ModuleList(nn.Conv2d(width, channels, 3, padding=1) for channels in inner)
        self.second = nn.ModuleList(nn.Conv2d(channels, width, 3, padding=1) for channels in inner)
        self.tail = nn.Conv2d(width, 3 * factor**2, 3, padding=1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.head(image))
        for first, second in zip(self.first, self.second, strict=True):
            x = x + second(F.relu(first(x)))
        plain = F.interpolate(image, scale_factor=self.factor, mode="bicubic", align_corners=False)
        return F.pixel_shuffle(self.tail(x), self.factor) + plain


def speed(net: nn.Module, batch: torch.Tensor, pixels: int, seconds: float) -> float:
    """Megapixels of source per second."""
    wait = torch.cuda.synchronize if batch.is_cuda else lambda: None
    with torch.inference_mode():
        for _ in range(3):
            net(batch)
        wait()
        started, runs = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            net(batch)
            wait()
            runs += 1
        return round(runs * len(batch) * pixels / 1e6 / (time.perf_counter() - started), 2)


def compiled_speed(net: nn.Module, batch: torch.Tensor, is_dry: bool, seconds: float) -> float | str:
    """The speed of the compiled network, or why it cannot be compiled."""
    try:
        compiled = torch.compile(net, mode="reduce-overhead") if not is_dry else net
        return speed(compiled, batch, TILE**2, 0.2 if is_dry else seconds)
    except Exception as error:  # PyTorch cannot compile kernels without a C compiler
        return str(error).splitlines()[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="one small run of each network, without a GPU")
    parser.add_argument("--seconds", type=float, default=3, help="length of each measurement")
    parser.add_argument("--eager", action="store_true", help="do not compile the networks")
    args = parser.parse_args()
    is_dry = args.dry_run
    device = "cpu" if is_dry else "cuda"
    dtype = torch.float32 if is_dry else torch.float16
    rows = []
    for level, (factor, width, inner, halo) in NETWORKS.items():
        net = SrNet(factor, width, inner).to(device, dtype).to(memory_format=torch.channels_last).eval()
        for size in [1] if is_dry else [1, 8, 32]:
            side = TILE + 2 * halo
            batch = torch.rand(size, 3, side, side, device=device, dtype=dtype)
            batch = batch.to(memory_format=torch.channels_last)
            row: dict[str, object] = {"level": level, "batch": size, "precision": str(dtype).removeprefix("torch.")}
            row["eager"] = speed(net, batch, TILE**2, 0.2 if is_dry else args.seconds)
            rows.append(row)
            if not args.eager:
                row["compiled"] = compiled_speed(net, batch, is_dry, args.seconds)
            # All rows so far, so that a run that is ended has them in its last line.
            print(json.dumps({"torch": torch.__version__, "device": device, "megapixelsPerSecond": rows}), flush=True)


if __name__ == "__main__":
    main()
