"""Judge `bg_remove` on drawn pictures: python drawn_check.py [--count N] [--level NAME] [--side PIXELS].

What is chosen about thresholds and steps after the network is chosen by these numbers, not by photographs.
The seed is none of training's.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.ndimage import binary_dilation

from drawing.blanks import Blanks
from measuring.measures import iou
from measuring.tiling import Level, enhance, load_level, run_analyse
from package import version_folder
from pools.seg_pool import DRAWN_SIZE, SegPool

SEED = (11, 2026)
EDGE = 6
"""Pixels on both sides of a subject's border."""
FOUND = 0.85
"""IoU from which on the error at the edges tells of edges."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--level", default="low")
    parser.add_argument("--side", type=int, default=DRAWN_SIZE, help="of the drawn scenes, in pixels")
    args = parser.parse_args()
    rng = np.random.default_rng(SEED)
    level = load_level(version_folder("bg_remove"), args.level)
    pool, blanks = SegPool(rng, args.count, args.count, args.side), Blanks(rng)
    empty = [float(presence(level, blanks.draw(256))) for _ in range(args.count)]
    scores, sure, missed = [], [], []
    for _ in range(args.count):
        image, truth = (x[0].numpy().transpose(1, 2, 0) for x in pool.batch(1, args.side))
        subject = truth[..., 0] > 0.5
        if subject.mean() < 0.01:
            continue
        sure.append(float(presence(level, image)))
        alpha = enhance(level, to_bytes(image))[..., 3] / 255
        scores.append(iou(alpha > 0.5, subject))
        missed.append(np.abs(alpha - truth[..., 0])[near_edges(subject)].mean())
    print(f"IoU {np.mean(scores):.3f} over {len(scores)} drawn scenes")
    found = [error for error, score in zip(missed, scores, strict=True) if score > FOUND]
    print(f"MAE within {EDGE} pixels of edges {np.mean(found):.4f} over {len(found)} found")
    print("surest of blanks:", quantiles(empty, (0.5, 0.9, 0.99, 1)))
    print("surest of scenes:", quantiles(sure, (0, 0.01, 0.03, 0.1)))


def presence(level: Level, image: np.ndarray) -> float:
    """The model's confidence that float [H,W,3] contains a subject."""
    return run_analyse(level, to_bytes(image))["presence"].item()


def near_edges(subject: np.ndarray) -> np.ndarray:
    """bool [H,W]."""
    return binary_dilation(subject, iterations=EDGE) & binary_dilation(~subject, iterations=EDGE)


def to_bytes(image: np.ndarray) -> np.ndarray:
    """Converts float 0..1 to uint8."""
    return (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)


def quantiles(values: list[float], shares: tuple[float, ...]) -> str:
    """The quantiles for these fractions."""
    return ", ".join(f"{share:.0%} {np.quantile(values, share):.3f}" for share in shares)


if __name__ == "__main__":
    main()
