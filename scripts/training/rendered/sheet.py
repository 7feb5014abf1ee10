"""Put rendered scenes and their mattes on one sheet: python sheet.py DIR OUT.png [--first N] [--count N]."""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image

CELL = 256
GROUND = (60, 0, 60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--columns", type=int, default=6)
    args = parser.parse_args()
    wanted = range(args.first, args.first + args.count)
    found = [args.folder / f"{n}.png" for n in wanted if (args.folder / f"{n}.png").exists()]
    rows = -(-len(found) // args.columns)
    sheet = Image.new("RGB", (args.columns * CELL * 3 // 2, rows * CELL), GROUND)
    for index, path in enumerate(found):
        picture, matte = Image.open(path.with_suffix(".jpg")), Image.open(path)
        picture.thumbnail((CELL, CELL))
        matte.thumbnail((CELL // 2, CELL // 2))
        x, y = index % args.columns * CELL * 3 // 2, index // args.columns * CELL
        sheet.paste(picture, (x, y))
        sheet.paste(matte.convert("RGB"), (x + CELL, y))
    sheet.save(args.out)


if __name__ == "__main__":
    main()
