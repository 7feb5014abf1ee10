"""Evaluates `auto_enhance` on drawn pictures with one fault each: python tone_check.py [--count N] [FOLDER…].

For each fault, prints the PSNR to the picture without the fault (untouched, auto-levels, and each level), the PSNR of
the best coefficients of the same tone formula, and the mean need, which is the applied share of the correction.
For pictures that must not change, prints the mean change. The seed is not used in training.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from evaluate import LEVELS, auto_levels
from measuring.measures import psnr
from measuring.tiling import Level, enhance, load_level, run_analyse
from networks.tone_net import COUNT, REACH, toned
from package import version_folder
from pools.tone_faults import FAULTS, STAYS
from pools.tone_pool import TonePool

SEED = (21, 2026)
STEPS = 150
"""Steps of the search for the best coefficients; 600 steps find 0.2 to 1.6 dB more."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="pictures of each fault")
    parser.add_argument("folders", type=Path, nargs="*", default=[version_folder("auto_enhance")])
    args = parser.parse_args()
    torch.set_num_threads(1)
    for folder in args.folders:
        print(f"{folder.parent.name}/{folder.name}")
        check([load_level(folder, name) for name in LEVELS], args.count)


def check(levels: list[Level], count: int) -> None:
    """Prints one line per fault; every version gets the same pictures."""
    rng = np.random.default_rng(SEED)
    pool = TonePool(rng)
    finished = [pool.finished() for _ in range(count)]
    print(f"{'':9}untouched auto-levels {' '.join(f'{n:>6}' for n in LEVELS)}   best   need")
    for name, fault in FAULTS.items():
        before = [to_bytes(fault(rng, picture)) for picture in finished]
        needs = [run_analyse(levels[0], image)["tone"][0, -1] for image in before]
        row = changes(levels, before) if name in STAYS else scores(levels, before, finished)
        print(f"{name:9}{row} {np.mean(needs):6.2f}", flush=True)


def changes(levels: list[Level], images: list[np.ndarray]) -> str:
    """Mean change of pictures that must not change, of 255."""
    tries = [(auto_levels(image), *(enhance(level, image) for level in levels)) for image in images]
    apart = [
        [np.abs(x.astype(float) - image).mean() for x in results]
        for image, results in zip(images, tries, strict=True)
    ]
    stretched, *ours = np.mean(apart, 0)
    return f"{'':9} {stretched:11.1f} {' '.join(f'{c:6.1f}' for c in ours)} of 255"


def scores(levels: list[Level], before: list[np.ndarray], finished: list[np.ndarray]) -> str:
    """PSNR to the finished pictures, dB."""
    after = [to_bytes(picture) for picture in finished]
    rows = []
    for image, good in zip(before, after, strict=True):
        tries = (image, auto_levels(image), *(enhance(level, image) for level in levels))
        rows.append([psnr(x, good) for x in tries])
    plain, stretched, *ours = np.mean(rows, 0)
    levels_text = " ".join(f"{score:6.2f}" for score in ours)
    return f"{plain:9.2f} {stretched:11.2f} {levels_text} {best(before, after):6.2f}"


def best(damaged: list[np.ndarray], finished: list[np.ndarray]) -> float:
    """Mean PSNR of coefficients fitted to each pair: the formula's limit, without edge-aware light."""
    before, after = (_planes(images) for images in (damaged, finished))
    free = torch.zeros(len(before), COUNT, requires_grad=True)
    optimizer = torch.optim.Adam([free], lr=0.05)
    for _ in range(STEPS):
        result = toned(before, torch.tanh(free) * torch.from_numpy(REACH)).clamp(0, 1)
        errors = ((result - after) ** 2).mean((1, 2, 3)) + 1e-6
        optimizer.zero_grad()
        errors.log().sum().backward()
        optimizer.step()
    return float(-10 * errors.detach().log10().mean())


def _planes(images: list[np.ndarray]) -> torch.Tensor:
    return torch.from_numpy(np.stack(images).transpose(0, 3, 1, 2) / 255).float()


def to_bytes(picture: np.ndarray) -> np.ndarray:
    """Float 0..1 to uint8."""
    return (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)


if __name__ == "__main__":
    main()
