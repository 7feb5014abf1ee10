"""Contact sheet: python sheet.py OPERATION OUT.png IMAGE…  (source, then each level)."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from measuring.tiling import enhance, load_level
from package import version_folder

LEVELS = ("low", "medium", "high")


def read(path: Path, limit: int) -> np.ndarray:
    """uint8 [H,W,3], long edge at most `limit`."""
    image = Image.open(path).convert("RGB")
    image.thumbnail((limit, limit), Image.Resampling.LANCZOS)
    return np.asarray(image)


def on_checks(image: np.ndarray) -> np.ndarray:
    """RGBA on a checkerboard, so that holes and fringes are visible."""
    if image.shape[2] == 3:
        return image
    y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    ground = np.where(((y // 12 + x // 12) % 2 == 0)[..., None], [255, 120, 200], [90, 220, 120])
    alpha = image[..., 3:] / 255
    return (image[..., :3] * alpha + ground * (1 - alpha) + 0.5).astype(np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("operation")
    parser.add_argument("out", type=Path)
    parser.add_argument("images", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, default=400, help="long edge before enhancing, pixels")
    args = parser.parse_args()
    levels = [load_level(version_folder(args.operation), name) for name in LEVELS]
    rows = []
    for path in args.images:
        source = read(path, args.limit)
        results = [on_checks(enhance(level, source)) for level in levels]
        height = max(r.shape[0] for r in results)
        cells = [
            Image.fromarray(c).resize((c.shape[1] * height // c.shape[0], height), 0)
            for c in [source, *results]
        ]
        rows.append(np.concatenate([np.asarray(c) for c in cells], 1))
    width = max(r.shape[1] for r in rows)
    padded = [np.pad(r, ((0, 6), (0, width - r.shape[1]), (0, 0))) for r in rows]
    Image.fromarray(np.concatenate(padded, 0)).save(args.out)


if __name__ == "__main__":
    main()
