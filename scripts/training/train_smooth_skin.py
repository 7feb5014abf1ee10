"""Train and package `smooth_skin`: python train_smooth_skin.py [--steps N] [--seed N]."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from graphs.skin_graphs import HALO, SIZE, write_analyse, write_render
from networks.restore import restore_seg
from networks.seg_net import WIDE, SegNet
from networks.skin_net import train_skin
from package import version_folder, write_manifest

STRENGTHS = {"low": 0.32, "medium": 0.55, "high": 0.95}
"""Energy of the finest scale falls by 1 - (1 - s)² in plain skin: a little over 35, 55, 75%, and more."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--subject",
        type=Path,
        help="graph whose first subject network is used (default: skin.onnx)",
    )
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    folder = version_folder("smooth_skin")
    seg = SegNet(WIDE)
    restore_seg(seg, args.subject or folder / "skin.onnx", torch.rand(4, 3, 160, 160))
    write_analyse(train_skin(np.random.default_rng(args.seed), args.steps), seg.eval(), folder / "skin.onnx")
    write_render(folder / "smooth.onnx")
    head = {
        "name": "optical-skin",
        "description": "Finds skin of all tones by color and context, and reduces its texture in bands.",
        "source": "scripts/training/train_smooth_skin.py",
        "trainedOn": "skin colors computed from tissue optics, and drawn colors and scenes; no photo",
    }
    stages = {
        "skin": {
            "kind": "analyse",
            "file": "skin.onnx",
            "size": SIZE,
            "outputs": {"map": [1, SIZE, SIZE]},
            "maxBatch": 4,
            "maxDelayMs": 5,
        },
        "smooth": {
            "kind": "render",
            "file": "smooth.onnx",
            "tile": 256,
            "halo": HALO,
            "scale": 1,
            "skipWhereZero": "map",
            "maxBatch": 4,
            "maxDelayMs": 5,
        },
    }
    levels = {name: {"strength": s, "analyse": "skin", "render": "smooth"} for name, s in STRENGTHS.items()}
    write_manifest(folder, head, stages, levels)


if __name__ == "__main__":
    main()
