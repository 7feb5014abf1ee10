"""Writes the 8-bit twins of networks that render: python quantize.py [FOLDER…] [--pictures N].

Scales are calibrated on drawn pictures. Run it after package.py, which removes twins of graphs that changed.
Analyses have none: half of their time goes into statistics, so that integers save a sixth of it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from drawing.dead_leaves import LeafPainter
from drawing.textures import texture_bank
from graphs.int8 import Feed, int8_entry
from package import MODELS, write_file
from pools.degrade import shrink

SEED = (8, 2026)
SIDE = 256
"""Of the drawn pictures, in pixels."""


def draw(count: int) -> list[np.ndarray]:
    """uint8 [SIDE,SIDE,3] each."""
    rng = np.random.default_rng(SEED)
    painter = LeafPainter(rng, texture_bank(rng, 80, 512))
    return [painter.scene(SIDE) for _ in range(count)]


def small_pictures(pictures: list[np.ndarray], scale: int) -> Iterator[Feed]:
    """Inputs of a network that enlarges. Every other one has noise and JPEG artifacts, as in training."""
    rng = np.random.default_rng(SEED)
    for index, picture in enumerate(pictures):
        yield {"image": shrink(rng, picture, scale, clean=index % 2 == 0)[None]}


def quantize(folder: Path, pictures: list[np.ndarray]) -> list[str]:
    """Write the 8-bit files of a version and add them to its manifest. Returns the files."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    written = []
    for stage in manifest["stages"].values():
        stage.pop("int8", None)
        # A stage without a half-precision file has no network.
        if stage["kind"] != "render" or "fp16" not in stage:
            continue
        entry = int8_entry(folder, stage["file"], small_pictures(pictures, stage["scale"]))
        stage |= entry
        written += [twin["file"] for twin in entry.values()]
    write_file(folder, manifest)
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--pictures", type=int, default=24)
    args = parser.parse_args()
    pictures = draw(args.pictures)
    for folder in args.folders or sorted(p.parent for p in MODELS.glob("*/*/manifest.json")):
        print(folder, *quantize(folder, pictures))


if __name__ == "__main__":
    main()
