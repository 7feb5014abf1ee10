"""Train and package `upscale`: python train_upscale.py [--stage NAME] [--steps N] [--scenes N] [--seed N]."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import torch

from graph import FLOAT, Graph
from package import version_folder, write_manifest
from pixels import close_tile, open_tile, to_bytes
from sr_net import SrNet, SrShape, emit, enlarge_phases, shuffle
from sr_pool import SrPool

STAGES = {
    "x2-fast": SrShape(factor=2, width=32, blocks=3),
    "x2-best": SrShape(factor=2, width=48, blocks=4),
    "x4": SrShape(factor=4, width=48, blocks=4),
}
STEPS = {"x2-fast": 5000, "x2-best": 5500, "x4": 2200}
EDGE = {2: 48, 4: 32}
BATCH = 8
LUMA = torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)


def train(net: SrNet, pool: SrPool, steps: int, rate: float) -> None:
    """L1 on luma and on RGB; one cosine from `rate` to 0, warmed up."""
    net.to(memory_format=torch.channels_last)  # about twice as fast on one core
    optimizer = torch.optim.Adam(net.parameters(), lr=rate, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=0.08)
    begun, mean = time.time(), 0.0
    for step in range(steps):
        low, high = pool.batch(BATCH, EDGE[net.shape.factor])
        low = low.contiguous(memory_format=torch.channels_last)
        error = net(low) - high
        loss = (error * LUMA).sum(1).abs().mean() + 0.35 * error.abs().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        schedule.step()
        mean += (loss.item() - mean) * (0.05 if step < 500 else 0.005)
        if step % 500 == 499:
            print(f"step {step + 1}/{steps} loss {mean:.5f} {time.time() - begun:.0f} s", flush=True)


def write_graph(net: SrNet, path: Path) -> None:
    """The render graph: colour by the network, alpha by bicubic."""
    g, factor = Graph("upscale"), net.shape.factor
    tile = open_tile(g)
    rgb = emit(g, net, tile.rgb * (1 / 255)) * 255.0
    alpha = shuffle(g, enlarge_phases(g, g.cast(tile.alpha, FLOAT), factor, 1), factor)
    close_tile(g, tile, rgb, to_bytes(g, alpha))
    g.save(path)


def stage_entry(name: str) -> dict[str, object]:
    """Manifest entry; the halo is the receptive field, rounded up to a multiple of 4."""
    shape = STAGES[name]
    halo = -(-shape.receptive_field // 4) * 4
    return {
        "kind": "render",
        "file": f"{name}.onnx",
        "tile": 192,
        "halo": halo,
        "scale": shape.factor,
        "maxBatch": 4,
        "maxDelayMs": 5,
    }


def package(folder: Path) -> None:
    """Write the manifest when every graph is there."""
    if not all((folder / f"{name}.onnx").exists() for name in STAGES):
        return
    head = {
        "name": "dead-leaves-sr",
        "description": "Super-resolution by plain 3×3 convolutions: ×2 (fast, best) and ×4.",
        "source": "scripts/training/train_upscale.py",
        "trainedOn": "dead-leaves images drawn by scripts/training/dead_leaves.py; no photo",
    }
    levels = {"low": "x2-fast", "medium": "x2-best", "high": "x4"}
    write_manifest(
        folder,
        head,
        {name: stage_entry(name) for name in STAGES},
        {level: {"strength": 1, "render": stage} for level, stage in levels.items()},
    )


def fit(net: SrNet, name: str, args: argparse.Namespace) -> None:
    """Train one stage from scratch; x4 starts from the features of x2-best when they exist."""
    if args.resume:
        net.load_state_dict(torch.load(args.checkpoints / f"{name}.pt"))
    elif name == "x4" and (args.checkpoints / "x2-best.pt").exists():
        warm = torch.load(args.checkpoints / "x2-best.pt")
        net.load_state_dict({k: v for k, v in warm.items() if k.startswith(("head", "body"))}, strict=False)
    pool = SrPool(np.random.default_rng(args.seed), args.scenes, net.shape.factor)
    print(f"{name}: {sum(p.numel() for p in net.parameters())} parameters", flush=True)
    train(net, pool, args.steps or STEPS[name], 6e-4 if args.resume else 2e-3)
    torch.save(net.state_dict(), args.checkpoints / f"{name}.pt")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", choices=[*STAGES, "all"], default="all")
    parser.add_argument("--steps", type=int, help="default: see STEPS")
    parser.add_argument("--scenes", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoints", type=Path, default=Path("checkpoints"), help="folder for .pt files")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint, more gently")
    parser.add_argument("--package-only", action="store_true", help="write graphs from the checkpoints")
    args = parser.parse_args()
    os.nice(19)
    torch.set_num_threads(1)
    args.checkpoints.mkdir(parents=True, exist_ok=True)
    folder = version_folder("upscale")
    for name in STAGES if args.stage == "all" else [args.stage]:
        torch.manual_seed(args.seed)
        net = SrNet(STAGES[name])
        if args.package_only:
            net.load_state_dict(torch.load(args.checkpoints / f"{name}.pt"))
        else:
            fit(net, name, args)
        write_graph(net, folder / f"{name}.onnx")
        package(folder)


if __name__ == "__main__":
    main()
