"""Compare rendered with drawn scenes as teachers of `bg_remove`: python render_trial.py --renders DIR.

The same network learns from as many renders as drawings, and from half of each, with the same steps and rate.
It begins with the shipped weights. Nothing is written to `models/`.
"""

from __future__ import annotations

import argparse
import copy
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel

from evaluate import files, partner, read
from measuring.measures import best_f, iou
from networks.origin import Origin, OtherTraining, origin
from networks.restore import restore_seg
from networks.seg_fit import rate_at, subject_loss
from networks.seg_net import SegNet
from networks.seg_style import random_convolutions
from networks.training_state import TrainingState, refuse_other, warmed_average
from package import version_folder
from pools.scene_pool import Scene, ScenePool, drawn_scenes, rendered_scenes
from train_bg_remove import NETWORKS, shipped

ARMS = ("drawn", "rendered", "half")
BATCH, SIZES = 10, (112, 128, 144)
VIEW = 160
"""Side at which networks are judged."""
Pair = tuple[np.ndarray, np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renders", type=Path, required=True, help="folder that rendered/render.py filled")
    parser.add_argument("--data", type=Path, help="photographs; they only measure")
    parser.add_argument("--network", type=int, default=1, choices=range(len(NETWORKS)))
    parser.add_argument("--steps", type=int, default=300, help="0: score the shipped network, by all renders")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--count", type=int, default=1000, help="at most so many scenes for each arm")
    parser.add_argument("--judges", type=int, default=120, help="drawn validation scenes")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--checkpoints", type=Path, default=Path("checkpoints/render_trial"))
    args = parser.parse_args()
    os.nice(19)
    torch.set_num_threads(1)
    renders = rendered_scenes(args.renders, for_training=True)[: args.count]
    began_with = _origin(args, len(renders))
    try:
        for name in ARMS if args.steps else ():
            refuse_other(_checkpoint(args, name), began_with)
    except OtherTraining as error:
        parser.exit(1, f"{error}\n")
    args.checkpoints.mkdir(parents=True, exist_ok=True)
    drawings = drawn_scenes(np.random.default_rng((args.seed, 1)), len(renders))
    half = len(renders) // 2
    judges = dict(_judges(args))
    if args.steps == 0:
        judges["rendered"] += _pairs(renders)
    sizes = ", ".join(f"{name} {len(pairs)}" for name, pairs in judges.items())
    print(f"{len(renders)} scenes an arm; judged by {sizes}", flush=True)
    start = _start(args.network, drawings[:32] + renders[:32])
    report("shipped", start.eval(), judges)
    if args.steps == 0:
        return
    arms = [drawings, renders, renders[:half] + drawings[: len(renders) - half]]
    for name, scenes in zip(ARMS, arms, strict=True):
        report(name, _tuned(copy.deepcopy(start), scenes, args, name, began_with), judges)


def _checkpoint(args: argparse.Namespace, arm: str) -> Path:
    return args.checkpoints / f"{arm}.pt"


def _origin(args: argparse.Namespace, scenes: int) -> Origin:
    """What every arm starts from. Arms are compared, so all of them train alike, up to the last step."""
    return origin(
        "the shipped network",
        shipped(args.network),
        network=args.network,
        renders=str(args.renders.resolve()),
        scenes=scenes,
        steps=args.steps,
        rate=args.rate,
        seed=args.seed,
    )


def _start(index: int, scenes: list[Scene]) -> SegNet:
    """The shipped network, with norms measured on scenes of both kinds."""
    images, _ = ScenePool(np.random.default_rng(5), scenes).batch(64, 144)
    net = SegNet(NETWORKS[index].channels)
    restore_seg(net, version_folder("bg_remove") / "subject-320.onnx", images, index)
    return net


def _tuned(
    net: SegNet, scenes: list[Scene], args: argparse.Namespace, name: str, began_with: Origin
) -> SegNet:
    """The running average after `args.steps`. Resumes from a saved state."""
    torch.manual_seed(args.seed)
    rng = np.random.default_rng((args.seed, 2))
    pool, begun = ScenePool(rng, scenes), time.process_time()
    net = net.to(memory_format=torch.channels_last).train()
    mean = AveragedModel(net, multi_avg_fn=warmed_average(0.99), use_buffers=True)
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-2)
    state = TrainingState(_checkpoint(args, name), net, mean, optimizer, began_with)
    for step in range(state.load(), args.steps):
        for group in optimizer.param_groups:
            group["lr"] = rate_at(args.rate, step, args.steps)
        images, mattes = pool.batch(BATCH, int(rng.choice(SIZES)))
        images = random_convolutions(images, NETWORKS[args.network].strange)
        first, last = net.opinions(images.contiguous(memory_format=torch.channels_last))
        loss = subject_loss(last, F.avg_pool2d(mattes, 2)) + 0.5 * subject_loss(
            first, F.avg_pool2d(mattes, 4)
        )
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        mean.update_parameters(net)
        if (step + 1) % 50 == 0:
            state.save(step + 1)
            print(
                f"{name} {step + 1}/{args.steps} loss {loss.item():.3f} {time.process_time() - begun:.0f} s",
                flush=True,
            )
    return mean.module.eval()


def _judges(args: argparse.Namespace) -> Iterator[tuple[str, list[Pair]]]:
    """Validation sets: pictures and mattes, float 0..1, of `VIEW` pixels."""
    yield "drawn", _pairs(drawn_scenes(np.random.default_rng((11, 2026)), args.judges))
    yield "rendered", _pairs(rendered_scenes(args.renders, for_training=False))
    if args.data:
        for name in ("SOD", "CCP"):
            folder = args.data / "seg" / name
            photos = [
                (read(p), read(partner(folder / "mask", p), "L")) for p in files(folder / "image", 1000)
            ]
            yield name, _pairs([(Image.fromarray(a), Image.fromarray(b)) for a, b in photos])


def _pairs(scenes: list[Scene]) -> list[Pair]:
    """Scenes with a subject."""
    found = []
    for scene in scenes:
        image, matte = (
            np.asarray(s.resize((VIEW, VIEW), Image.Resampling.BOX), np.float32) / 255 for s in scene
        )
        if (matte > 0.5).mean() > 0.005:
            found.append((image, matte))
    return found


def report(name: str, net: SegNet, judges: dict[str, list[Pair]]) -> None:
    """maxF, IoU at 0.5, and MAE of the network's output, averaged with that of a mirrored copy, on each set.
    """
    for judge, pairs in judges.items():
        mattes, truths = [], [truth > 0.5 for _, truth in pairs]
        with torch.no_grad():
            for image, _ in pairs:
                view = torch.from_numpy(image.transpose(2, 0, 1).copy())[None]
                both = net(torch.cat([view, view.flip(3)]))[:, :1]
                chance = torch.sigmoid((both[:1] + both[1:].flip(3)) / 2)
                chance = F.interpolate(chance, (VIEW, VIEW), mode="bilinear", align_corners=False)
                mattes.append(chance[0, 0].numpy())
        overlap = np.mean([iou(m > 0.5, t) for m, t in zip(mattes, truths, strict=True)])
        error = np.mean([np.abs(m - t).mean() for m, (_, t) in zip(mattes, pairs, strict=True)])
        print(
            f"{name} on {judge}: maxF {best_f(mattes, truths):.3f}, IoU {overlap:.3f}, MAE {error:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
