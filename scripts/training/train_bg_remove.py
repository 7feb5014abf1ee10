"""Train and package `bg_remove`: python train_bg_remove.py [--steps N] [--subjects N] [--seed N]."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import torch

from bg_graphs import PRESENT_FROM, write_analyse, write_matte
from package import version_folder, write_manifest
from restore import restore_seg
from seg_fit import SegTrainer
from seg_net import SegNet
from seg_pool import SegPool


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
            "outputs": {"coefficients": [4, size, size], "colours": [6, size, size], "presence": [1]},
            "noSubject": {"output": "presence", "below": PRESENT_FROM},
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
    parser.add_argument("--rate", type=float, help="peak of the learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoints", type=Path, default=Path("checkpoints"), help="folder for .pt files")
    parser.add_argument("--package-only", action="store_true", help="write graphs from the checkpoint")
    parser.add_argument("--resume", action="store_true", help="start from the shipped weights, more gently")
    parser.add_argument("--train-only", action="store_true", help="leave models/ as it is")
    args = parser.parse_args()
    os.nice(19)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    args.checkpoints.mkdir(parents=True, exist_ok=True)
    net = SegNet()
    print(f"{sum(p.numel() for p in net.parameters())} parameters", flush=True)
    trainer = SegTrainer(net, args.checkpoints / "seg-state.pt")
    if not args.package_only:
        rng = np.random.default_rng(args.seed)
        pool = SegPool(rng, args.subjects, args.backdrops)
        if args.resume and trainer.fresh:
            images, _ = pool.batch(64, 144)
            restore_seg(net, version_folder("bg_remove") / "subject-320.onnx", images)
            trainer = SegTrainer(net, args.checkpoints / "seg-state.pt")
        trainer.run(pool, rng, args.steps, args.rate or (1e-3 if args.resume else 3e-3))
    torch.save(trainer.average.state_dict(), args.checkpoints / "seg.pt")
    if not args.train_only:
        package(trainer.average)


if __name__ == "__main__":
    main()
