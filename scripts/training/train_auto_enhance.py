"""Train and package `auto_enhance`: python train_auto_enhance.py [--steps N] [--scenes N] [--seed N]."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from torch import Tensor

from graphs.graph import FLOAT, Graph
from graphs.tone_graphs import HALO, SIZE, TONE, write_analyse, write_render
from networks.tone_net import ToneNet, emit_traits, toned
from package import version_folder, write_manifest
from pools.tone_faults import FAULTS, STAYS
from pools.tone_pool import CELLS, TonePool, damaged, low_key

STRENGTHS = {"low": 0.8, "medium": 0.9, "high": 1.0}
VIEWS = 10
"""Ways in which each picture is damaged."""
HELD_OUT = 0.1
BANK_LIFE = 250
"""Scenes before the textures are drawn anew."""


def draw(rng: np.random.Generator, scenes: int, *, faults: bool) -> tuple[np.ndarray, np.ndarray]:
    """Damaged and finished pictures, float32 [scenes·VIEWS,3,CELLS,CELLS]."""
    before, after = [], []
    for scene in range(scenes):
        if scene % BANK_LIFE == 0:
            pool = TonePool(rng)
        finished = pool.finished()
        named = named_views(rng, finished) if faults else [dark_view(rng, finished)]
        mixed = [(damaged(rng, finished), finished) for _ in range(VIEWS - len(named))]
        for bad, good in named + mixed:
            before.append(bad)
            after.append(good)
    return tuple(np.stack(side).transpose(0, 3, 1, 2).astype(np.float16) for side in (before, after))


def dark_view(rng: np.random.Generator, finished: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An intentionally dark picture, which must not change."""
    dark = as_bytes(low_key(rng, finished))
    return dark, dark


def as_bytes(picture: np.ndarray) -> np.ndarray:
    """Rounds values 0..1 to those that a file can contain."""
    return (np.round(np.clip(picture, 0, 1) * 255) / 255).astype(np.float32)


def named_views(rng: np.random.Generator, finished: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Each named fault with its right result."""
    pairs = []
    for name, fault in FAULTS.items():
        bad = as_bytes(fault(rng, finished))
        pairs.append((bad, bad if name in STAYS else finished))
    return pairs


def traits_of(cells: np.ndarray) -> np.ndarray:
    """Traits [K,T], computed by the same nodes as in the graph."""
    g = Graph("traits")
    image = g.input("cells", FLOAT, ["N", 3, CELLS, CELLS])
    g.output(emit_traits(g, image, CELLS * CELLS), "traits", FLOAT, ["N", "T", 1, 1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traits.onnx"
        g.save(path)
        session = ort.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    parts = [
        session.run(None, {"cells": part.astype(np.float32)})[0]
        for part in np.array_split(cells, -(-len(cells) // 64))
    ]
    return np.concatenate(parts)[:, :, 0, 0]


def train(rng: np.random.Generator, scenes: int, steps: int, *, faults: bool = False) -> ToneNet:
    """Trains the network to revert the damage. Uses the mean squared error: where a picture could be intended
    darker or brighter, the correction is between both, while an absolute error would choose one.
    """
    before, after = draw(rng, scenes, faults=faults)
    traits = traits_of(before)
    split = int(len(before) * (1 - HELD_OUT)) // VIEWS * VIEWS
    net = ToneNet(traits[:split].mean(0), traits[:split].std(0) + 1e-3)
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, steps)
    for step in range(steps):
        pick = rng.integers(split, size=64)
        loss = _differences(net, traits[pick], before[pick], after[pick]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 500 == 0 or step == steps - 1:
            print(f"step {step}: {loss.item() ** 0.5 * 255:.1f} of 255", flush=True)
    report(net.eval(), traits[split:], before[split:], after[split:])
    return net


def _differences(net: ToneNet, traits: np.ndarray, before: np.ndarray, after: np.ndarray) -> Tensor:
    """The remaining damage, on every fourth cell."""
    wanted, given = (torch.from_numpy(x[:, :, 1::4, 1::4].astype(np.float32)) for x in (after, before))
    return toned(given, net(torch.from_numpy(traits))).clamp(0, 1) - wanted


@torch.no_grad()
def report(net: ToneNet, traits: np.ndarray, before: np.ndarray, after: np.ndarray) -> None:
    """The result of the network for scenes that it has not seen."""
    plain = np.abs(before.astype(np.float32) - after).mean((1, 2, 3)) * 255
    left = _differences(net, traits, before, after).abs().mean((1, 2, 3)).numpy() * 255
    change = _differences(net, traits, before, before).abs().mean((1, 2, 3)).numpy() * 255
    finished = plain < 0.1
    print(f"held out, damaged: {plain[~finished].mean():.1f} to {left[~finished].mean():.1f} of 255")
    print(f"held out, finished: change {np.quantile(change[finished], [0.5, 0.75, 0.9, 1.0]).round(1)}")
    print(
        f"held out, damaged: change {np.quantile(change[~finished], [0.05, 0.25, 0.5]).round(1)}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checkpoints", type=Path, default=Path("checkpoints"))
    parser.add_argument("--faults", action="store_true", help="also train on one view of each named fault")
    parser.add_argument("--package-only", action="store_true", help="write the graphs of a saved network")
    args = parser.parse_args()
    os.nice(19)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    saved = args.checkpoints / "tone.pt"
    if args.package_only:
        net = torch.load(saved, weights_only=False)
    else:
        net = train(np.random.default_rng(args.seed), args.scenes, args.steps, faults=args.faults)
        args.checkpoints.mkdir(exist_ok=True)
        torch.save(net, saved)
    package(net)


def package(net: ToneNet) -> None:
    """Writes the graphs and the manifest."""
    folder = version_folder("auto_enhance")
    write_analyse(net, folder / "analyse.onnx")
    write_render(folder / "tone.onnx")
    head = {
        "name": "measured-tone",
        "description": "Corrects exposure, white balance, contrast and color where needed, without halos.",
        "source": "scripts/training/train_auto_enhance.py",
        "trainedOn": "scenes drawn by scripts/training/pools/tone_pool.py and damaged at random; no photo",
    }
    stages = {
        "analyse": {
            "kind": "analyse",
            "file": "analyse.onnx",
            "size": SIZE,
            "outputs": {"tone": [TONE], "light": [2, SIZE, SIZE]},
            "maxBatch": 4,
            "maxDelayMs": 5,
        },
        "tone": {
            "kind": "render",
            "file": "tone.onnx",
            "tile": 256,
            "halo": HALO,
            "scale": 1,
            "maxBatch": 4,
            "maxDelayMs": 5,
        },
    }
    levels = {name: {"strength": s, "analyse": "analyse", "render": "tone"} for name, s in STRENGTHS.items()}
    write_manifest(folder, head, stages, levels)


if __name__ == "__main__":
    main()
