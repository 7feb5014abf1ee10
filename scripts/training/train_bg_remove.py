"""Train and package `bg_remove`: python train_bg_remove.py [--steps N] [--subjects N] [--seed N]."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bg_graphs import write_analyse, write_matte
from package import version_folder, write_manifest
from seg_net import SegNet
from seg_pool import SegPool

BATCH = 14
SIZES = (112, 128, 144, 160)
"""Input edges, one drawn for each step."""
EMA_DECAY = 0.998
"""The average of the last few hundred steps' weights is what ships."""


def train(net: SegNet, pool: SegPool, rng: np.random.Generator, steps: int, rate: float) -> SegNet:
    """AdamW, one warmed-up cosine; gives the averaged network."""
    net.to(memory_format=torch.channels_last).train()
    mean_net = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(EMA_DECAY), use_buffers=True)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=0.1)
    begun, mean = time.time(), 0.0
    for step in range(steps):
        images, truths = pool.batch(BATCH, int(rng.choice(SIZES)))
        loss = objective(net(images.contiguous(memory_format=torch.channels_last)), F.avg_pool2d(truths, 2))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        mean_net.update_parameters(net)
        mean += (loss.item() - mean) * max(0.01, 1 / (step + 1))
        if step % 100 == 99:
            print(f"step {step + 1}/{steps} loss {mean:.4f} {time.time() - begun:.0f} s", flush=True)
    return mean_net.module


def objective(logits: Tensor, truth: Tensor) -> Tensor:
    """Cross-entropy plus soft IoU of the subject; the skin head counts half."""
    entropy = F.binary_cross_entropy_with_logits(logits, truth, reduction="none").mean((0, 2, 3))
    chance = torch.sigmoid(logits[:, :1])
    both = (chance * truth[:, :1]).sum((1, 2, 3))
    either = (chance + truth[:, :1]).sum((1, 2, 3)) - both
    return entropy[0] + 0.5 * entropy[1] + 0.5 * (1 - (both + 1) / (either + 1)).mean()


def package(net: SegNet) -> None:
    """Write the graphs and the manifest."""
    net.eval()
    folder = version_folder("bg_remove")
    stages: dict[str, dict[str, object]] = {}
    for size in (320, 512):
        write_analyse(net, size, folder / f"subject-{size}.onnx")
        stages[f"subject-{size}"] = {
            "kind": "analyse",
            "file": f"subject-{size}.onnx",
            "size": size,
            "outputs": {"coefficients": [4, size, size], "colours": [6, size, size]},
            "maxBatch": 4,
            "maxDelayMs": 5,
        }
    for name, size, decontaminate in (
        ("matte-320", 320, False),
        ("cutout-320", 320, True),
        ("cutout-512", 512, True),
    ):
        write_matte(size, folder / f"{name}.onnx", decontaminate=decontaminate)
        stages[name] = {
            "kind": "render",
            "file": f"{name}.onnx",
            "tile": 256,
            "halo": 0,
            "scale": 1,
            "alpha": "produce",
            "maxBatch": 4,
            "maxDelayMs": 5,
        }
    head = {
        "name": "drawn-subjects",
        "description": "A small U-Net finds the subject, guided filters carry its matte to full resolution.",
        "source": "scripts/training/train_bg_remove.py",
        "trainedOn": "people, animals and things drawn by scripts/training/ before drawn backdrops; no photo",
    }
    levels = {
        "low": {"strength": 1, "analyse": "subject-320", "render": "matte-320"},
        "medium": {"strength": 1, "analyse": "subject-320", "render": "cutout-320"},
        "high": {"strength": 1, "analyse": "subject-512", "render": "cutout-512"},
    }
    write_manifest(folder, head, stages, levels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2200)
    parser.add_argument("--subjects", type=int, default=2500)
    parser.add_argument("--backdrops", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoints", type=Path, default=Path("checkpoints"), help="folder for .pt files")
    parser.add_argument("--package-only", action="store_true", help="write graphs from the checkpoint")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint, more gently")
    args = parser.parse_args()
    os.nice(19)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    args.checkpoints.mkdir(parents=True, exist_ok=True)
    checkpoint, net = args.checkpoints / "seg.pt", SegNet()
    print(f"{sum(p.numel() for p in net.parameters())} parameters", flush=True)
    if args.package_only or args.resume:
        net.load_state_dict(torch.load(checkpoint))
    if not args.package_only:
        rng = np.random.default_rng(args.seed)
        pool = SegPool(rng, args.subjects, args.backdrops)
        net = train(net, pool, rng, args.steps, 1e-3 if args.resume else 3e-3)
        torch.save(net.state_dict(), checkpoint)
    package(net)


if __name__ == "__main__":
    main()
