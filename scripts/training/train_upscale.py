"""Train and package `upscale`: python train_upscale.py [--stage NAME] [--steps N] [--scenes N] [--seed N]."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import torch

from graphs.sr_graph import write_graph
from networks.origin import Origin, OtherTraining, origin
from networks.restore import load_sr
from networks.sr_fit import Plan, Trainer
from networks.sr_net import SrNet, SrShape
from networks.sr_resize import resized
from networks.sr_teacher import Teacher
from networks.training_state import averaged, note_shipped, refuse_other
from package import version_folder, write_manifest
from pools.sr_pool import SrPool, drawn_test

TEACHER = "x2-teacher"
"""Trained first; it stays in the checkpoints and teaches the ×2 networks that ship."""
STAGES = {
    TEACHER: SrShape(factor=2, width=64, inner=(64,) * 6),
    "x2-fast": SrShape(factor=2, width=32, inner=(16,) * 3),
    "x2-best": SrShape(factor=2, width=64, inner=(16, 32, 32, 48, 48, 32)),
    "x4": SrShape(factor=4, width=48, inner=(48,) * 4),
}
"""Where a teacher's block loses little, `x2-best` has fewer inner channels."""
TAUGHT = ("x2-fast", "x2-best")
CLEAN = {"x2-fast": 0.75}
"""Share of clean small pictures, CLEAN_SHARE where not said: a small network forgets JPEG first."""
CLEAN_SHARE = 0.95
LEVELS = {"low": "x2-fast", "medium": "x2-best", "high": "x4"}
PICTURES = 20
"""Drawn small pictures that show which channels of a larger network matter."""
STEPS = {TEACHER: 13000, "x2-fast": 20000, "x2-best": 8000, "x4": 4000}
RATES = {TEACHER: 2e-3, "x2-fast": 2e-3, "x2-best": 7e-4, "x4": 2e-3}
"""Peaks of the learning rate; at most RATE_RESUMED where weights are there already."""
RATE_RESUMED = 1e-3


def stage_entry(name: str) -> dict[str, object]:
    """Manifest entry. The halo is the receptive field; a larger one would only waste time."""
    shape = STAGES[name]
    return {
        "kind": "render",
        "file": f"{name}.onnx",
        "tile": 192,
        "halo": shape.receptive_field,
        "scale": shape.factor,
        "maxBatch": 4,
        "maxDelayMs": 5,
    }


def package(folder: Path) -> None:
    """Write the manifest once every graph exists."""
    if not all((folder / f"{name}.onnx").exists() for name in LEVELS.values()):
        return
    head = {
        "name": "dead-leaves-sr",
        "description": "Super-resolution by plain 3×3 convolutions: ×2 (fast, best) and ×4.",
        "source": "scripts/training/train_upscale.py",
        "trainedOn": "dead-leaves images drawn by scripts/training/drawing/dead_leaves.py; no photo",
    }
    write_manifest(
        folder,
        head,
        {name: stage_entry(name) for name in LEVELS.values()},
        {level: {"strength": 1, "render": stage} for level, stage in LEVELS.items()},
    )


def graph_of(name: str, args: argparse.Namespace) -> Path:
    """The graph that a stage writes."""
    return (args.checkpoints if name == TEACHER else version_folder("upscale")) / f"{name}.onnx"


def first_weights(name: str, args: argparse.Namespace) -> Path | None:
    """The graph whose weights a training begins with: existing ones (`--resume`), or those of the teacher."""
    if args.resume and name != TEACHER:
        return graph_of(name, args)
    return teacher_graph(args) if args.resume or name == "x2-best" else None


def origin_of(name: str, args: argparse.Namespace) -> Origin:
    """What the training of a stage starts from."""
    source = first_weights(name, args)
    if source is None:
        return origin("nothing", None, seed=args.seed)
    if args.resume:
        return origin("--resume", load_sr(source), seed=args.seed)
    # The teacher of these checkpoints may itself be trained further.
    return origin("the teacher", load_sr(source) if args.teacher else None, seed=args.seed)


def begin(name: str, args: argparse.Namespace) -> SrNet:
    """The initial network."""
    shape, source = STAGES[name], first_weights(name, args)
    if source is None:
        return SrNet(shape)
    lows = [low for low, _ in drawn_test(PICTURES, shape.factor)]
    images = torch.from_numpy(np.stack(lows).transpose(0, 3, 1, 2).astype(np.float32) / 255)
    return resized(load_sr(source), shape, images)


def teacher_graph(args: argparse.Namespace) -> Path:
    """The graph that teaches."""
    return args.teacher or args.checkpoints / f"{TEACHER}.onnx"


def checkpoint(name: str, args: argparse.Namespace) -> Path:
    """The saved state of a stage's training."""
    return args.checkpoints / f"{name}.pt"


def fit(name: str, args: argparse.Namespace) -> SrNet:
    """Train one stage. Returns the averaged network."""
    began_with = origin_of(name, args)
    torch.manual_seed(args.seed)
    net = begin(name, args)
    print(f"{name}: {sum(p.numel() for p in net.parameters())} parameters", flush=True)
    trainer = Trainer(net, checkpoint(name, args), began_with)
    teacher = Teacher(load_sr(teacher_graph(args))) if name in TAUGHT else None
    clean = CLEAN.get(name, CLEAN_SHARE)
    rng = np.random.default_rng(args.seed)
    pool = SrPool(rng, args.scenes, net.shape.factor, clean=clean, teacher=teacher)
    rate = min(RATES[name], RATE_RESUMED) if args.resume else RATES[name]
    trainer.run(pool, Plan(args.steps or STEPS[name], args.rate or rate))
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
        help="start from the shipped weights; they may be of a smaller network or have more inner channels",
    )
    parser.add_argument(
        "--teacher", type=Path, help=f"render graph that teaches; default: {TEACHER}.onnx of the checkpoints"
    )
    parser.add_argument("--train-only", action="store_true", help="leave models/ as it is")
    parser.add_argument("--package-only", action="store_true", help="write graphs from the checkpoints")
    args = parser.parse_args()
    os.nice(19)
    torch.set_num_threads(1)
    names = list(STAGES) if args.stage == "all" else [args.stage]
    if args.package_only:
        for missing in (name for name in names if not checkpoint(name, args).exists()):
            parser.error(f"{checkpoint(missing, args)} is missing: --stage {missing} trains it")
    elif set(names) & set(TAUGHT) and TEACHER not in names and not teacher_graph(args).exists():
        parser.error(f"{teacher_graph(args)} is missing: --stage {TEACHER} trains it")
    else:
        try:
            for name in names:
                refuse_other(checkpoint(name, args), origin_of(name, args))
        except OtherTraining as error:
            parser.exit(1, f"{error}\n")
    args.checkpoints.mkdir(parents=True, exist_ok=True)
    for name in names:
        net = averaged(SrNet(STAGES[name]), checkpoint(name, args)) if args.package_only else fit(name, args)
        if name == TEACHER or not args.train_only:
            write_graph(net, graph_of(name, args))
            note_shipped(checkpoint(name, args), load_sr(graph_of(name, args)))
        if name != TEACHER and not args.train_only:
            package(version_folder("upscale"))


if __name__ == "__main__":
    main()
