"""Train and package `upscale`: python train_upscale.py [--stage NAME] [--steps N] [--scenes N] [--seed N]."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import torch

from package import version_folder, write_manifest
from restore import restore_sr
from sr_fit import Plan, Trainer
from sr_graph import write_graph
from sr_net import SrNet, SrShape
from sr_pool import SrPool

STAGES = {
    "x2-fast": SrShape(factor=2, width=32, blocks=3),
    "x2-best": SrShape(factor=2, width=64, blocks=6),
    "x4": SrShape(factor=4, width=48, blocks=4),
}
STEPS = {"x2-fast": 5000, "x2-best": 13000, "x4": 4000}


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


def fit(net: SrNet, name: str, args: argparse.Namespace) -> SrNet:
    """Train one stage; gives the averaged network. `--resume` starts from the shipped graph."""
    if args.resume:
        restore_sr(net, version_folder("upscale") / f"{name}.onnx")
    print(f"{name}: {sum(p.numel() for p in net.parameters())} parameters", flush=True)
    trainer = Trainer(net, args.checkpoints / f"{name}.pt")
    pool = SrPool(np.random.default_rng(args.seed), args.scenes, net.shape.factor)
    trainer.run(pool, Plan(args.steps or STEPS[name], args.rate or (1e-3 if args.resume else 2e-3)))
    return trainer.average


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", choices=[*STAGES, "all"], default="all")
    parser.add_argument("--steps", type=int, help="default: see STEPS")
    parser.add_argument("--rate", type=float, help="peak of the learning rate")
    parser.add_argument("--scenes", type=int, default=300, help="window of scenes, always renewed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoints", type=Path, default=Path("checkpoints"), help="folder for .pt files")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="start from the shipped weights, which may be of a smaller network",
    )
    parser.add_argument("--train-only", action="store_true", help="leave models/ as it is")
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
            net = Trainer(net, args.checkpoints / f"{name}.pt").average
        else:
            net = fit(net, name, args)
        if args.train_only:
            continue
        write_graph(net, folder / f"{name}.onnx")
        package(folder)


if __name__ == "__main__":
    main()
