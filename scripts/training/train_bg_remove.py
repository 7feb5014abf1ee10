"""Train and package `bg_remove`: python train_bg_remove.py [--network I] [--steps N] [--seed N]."""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from graphs.bg_graphs import PRESENT_FROM, map_shapes, write_analyse, write_matte
from networks.origin import Origin, OtherTraining, origin
from networks.restore import restore_seg
from networks.seg_fit import BATCH, SIZES, Plan, SegTrainer
from networks.seg_net import NARROW, WIDE, Channels, SegNet
from networks.training_state import averaged, keep, note_shipped, refuse_other, take_up
from package import version_folder, write_manifest
from pools.drawers import DrawerDied, Drawers, DrawnHere, Pool, Rng, Wanted
from pools.mixed_pool import MixedPool
from pools.seg_pool import BLANK_SHARE, DRAWN_SIZE, SegPool


@dataclass(frozen=True)
class Network:
    """One of the networks whose outputs are averaged."""

    channels: Channels
    strange: float
    """Share of its pictures that go through a random convolution."""


STEPS = 5000
"""Usual length of a training."""
NETWORKS = (Network(WIDE, 0.4), Network(NARROW, 0.6))
"""Who learnt otherwise errs elsewhere."""


def package(nets: list[SegNet]) -> None:
    """Write the graphs and the manifest."""
    folder = version_folder("bg_remove")
    stages: dict[str, dict[str, object]] = {}
    for size in (320, 512):
        write_analyse(nets, size, folder / f"subject-{size}.onnx")
        stages[f"subject-{size}"] = {
            "kind": "analyse",
            "file": f"subject-{size}.onnx",
            "size": size,
            "outputs": map_shapes(size),
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
            "skipWhereZero": "coefficients",
            "maxBatch": 4,
            "maxDelayMs": 5,
        }
    head = {
        "name": "drawn-subjects",
        "description": "Two small U-Nets find the subject, and guided filters refine its matte at full size.",
        "source": "scripts/training/train_bg_remove.py",
        "trainedOn": "people, animals and things drawn and rendered by scripts/training/; no photo",
    }
    levels = {
        "low": {"strength": 1, "analyse": "subject-320", "render": "matte-320"},
        "medium": {"strength": 1, "analyse": "subject-320", "render": "cutout-320"},
        "high": {"strength": 1, "analyse": "subject-512", "render": "cutout-512"},
    }
    write_manifest(folder, head, stages, levels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, help="default: 5000; with --minutes: any number")
    parser.add_argument("--minutes", type=float, help="limit of time for each network, its start included")
    parser.add_argument("--batch", type=int, default=BATCH, help="pictures of a step")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--drawers", type=int, default=0, help="processes that draw; 0: this one")
    parser.add_argument("--subjects", type=int, default=1200)
    parser.add_argument("--backdrops", type=int, default=700)
    parser.add_argument(
        "--blanks", type=float, default=BLANK_SHARE, help="share of pictures without a subject"
    )
    parser.add_argument("--rate", type=float, help="peak of the learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", type=int, choices=range(len(NETWORKS)), help="train this one only")
    parser.add_argument("--checkpoints", type=Path, default=Path("checkpoints"), help="folder for .pt files")
    parser.add_argument("--package-only", action="store_true", help="write graphs from the checkpoints")
    parser.add_argument("--rewrite", action="store_true", help="write graphs around the shipped weights")
    parser.add_argument("--resume", action="store_true", help="start from the shipped weights, more gently")
    parser.add_argument("--renders", type=Path, help="rendered scenes: half of each batch")
    parser.add_argument("--keep", type=Path, help="write the weights to this folder, in half precision")
    parser.add_argument("--take-up", type=Path, help="start from the weights in this folder")
    parser.add_argument("--train-only", action="store_true", help="leave models/ as it is")
    args = parser.parse_args()
    if args.steps is None and args.minutes is None:
        args.steps = STEPS
    os.nice(10 if args.drawers else 19)  # the trainer has a higher priority, to empty their slots
    torch.set_num_threads(1)
    if args.rewrite:
        package([shipped(index) for index in range(len(NETWORKS))])
        return
    everyone = range(len(NETWORKS))
    chosen = everyone if args.network is None else [args.network]
    if args.package_only:
        needed = {*(chosen if args.keep else ()), *(() if args.train_only else everyone)}
        require_checkpoints(sorted(needed), args, parser)  # before anything is written
    else:
        args.checkpoints.mkdir(parents=True, exist_ok=True)
        try:
            for index in chosen:
                refuse_other(checkpoint(index, args), origin_of(index, args))
            for index in chosen:
                train(index, args)
        except (DrawerDied, OtherTraining) as error:
            parser.exit(1, f"{error}\n")
    if args.keep:
        for index in chosen:
            keep(trained(index, args), kept(index, args.keep))
            note_shipped(checkpoint(index, args), taken_up(index, args.keep))
    if not args.train_only:
        require_checkpoints(everyone, args, parser)
        package([trained(index, args) for index in everyone])
        for index in everyone:
            note_shipped(checkpoint(index, args), shipped(index))


def require_checkpoints(
    indices: Iterable[int], args: argparse.Namespace, parser: argparse.ArgumentParser
) -> None:
    """End with an error unless these networks have a saved state."""
    for missing in (index for index in indices if not checkpoint(index, args).exists()):
        parser.error(f"{checkpoint(missing, args)} is missing: train network {missing} first")


def checkpoint(index: int, args: argparse.Namespace) -> Path:
    """The checkpoint of a network."""
    return args.checkpoints / f"seg-{index}.pt"


def kept(index: int, folder: Path) -> Path:
    """Weights that are kept in the repository, without the optimizer."""
    return folder / f"seg-{index}.fp16.pt"


def trained(index: int, args: argparse.Namespace) -> SegNet:
    """The averaged network of a saved state."""
    return averaged(SegNet(NETWORKS[index].channels), checkpoint(index, args))


def taken_up(index: int, folder: Path) -> SegNet:
    """A network with its kept weights."""
    net = SegNet(NETWORKS[index].channels)
    take_up(net, kept(index, folder))
    return net


def origin_of(index: int, args: argparse.Namespace) -> Origin:
    """What the training of a network starts from."""
    if args.take_up:
        return origin("--take-up", taken_up(index, args.take_up), seed=args.seed)
    if args.resume:
        return origin("--resume", shipped(index), seed=args.seed)
    return origin("nothing", None, seed=args.seed)


def shipped(index: int) -> SegNet:
    """A network of `models/` with its weights."""
    net = SegNet(NETWORKS[index].channels)
    restore_seg(net, shipped_graph(), None, index)
    return net


def shipped_graph() -> Path:
    """A graph of `models/` that contains all networks."""
    return version_folder("bg_remove") / "subject-320.onnx"


def pool(rng: Rng, args: argparse.Namespace) -> Pool:
    """A pool of one process. Each of several drawers keeps its part of the subjects and backdrops."""
    parts = max(1, args.drawers)
    drawn = SegPool(
        rng, math.ceil(args.subjects / parts), math.ceil(args.backdrops / parts), DRAWN_SIZE, args.blanks
    )
    return MixedPool(rng, drawn, args.renders) if args.renders else drawn


def source(index: int, args: argparse.Namespace) -> DrawnHere | Drawers:
    """The source of the batches for one network."""
    wanted = Wanted(args.batch, SIZES)
    if args.drawers:
        seeds = [(args.seed, index, number) for number in range(1, args.drawers + 1)]
        return Drawers(lambda rng: pool(rng, args), seeds, wanted)
    rng = np.random.default_rng((args.seed, index))
    return DrawnHere(pool(rng, args), rng, wanted)


def train(index: int, args: argparse.Namespace) -> None:
    """Train one network up to `args.steps`, or for `args.minutes`."""
    begun, device = time.monotonic(), torch.device(args.device)
    began_with = origin_of(index, args)
    torch.manual_seed(args.seed + index)
    with source(index, args) as batches:
        torch.zeros(1, device=device)  # drawers are forked, so a GPU can start while they draw their pools
        net = taken_up(index, args.take_up) if args.take_up else SegNet(NETWORKS[index].channels)
        if args.resume and not args.take_up:
            restore_seg(net, shipped_graph(), batches.pictures(64, 144), index)
        print(f"network {index}: {sum(p.numel() for p in net.parameters())} parameters", flush=True)
        plan = Plan(
            args.rate or (1e-3 if args.resume or args.take_up else 3e-3),
            NETWORKS[index].strange,
            args.steps,
            60 * args.minutes if args.minutes else None,
            begun,
        )
        SegTrainer(net, checkpoint(index, args), began_with, device).run(batches, plan)


if __name__ == "__main__":
    main()
