"""Enhances every photo of a folder, a few at a time, and goes on where it was stopped.

python batch_folder.py holiday better --operation auto_enhance
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from image_enhancement import Client, ImageEnhancementError, QuotaExceededError

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".avif"}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--operation", default="auto_enhance")
    options = parser.parse_args()
    options.target.mkdir(parents=True, exist_ok=True)
    client = Client()

    def one(photo: Path) -> bool:
        target = options.target / photo.name
        if target.exists():
            return True
        try:
            # The key names the photo and what is done to it: started again, nothing is charged twice.
            key = f"{photo.stat().st_mtime_ns}-{photo.name}-{options.operation}"[:200]
            client.enhance(photo, options.operation, idempotency_key=key.replace(" ", "_")).save(target)
        except QuotaExceededError:
            raise
        except ImageEnhancementError as error:
            print(f"{photo.name}: {error}")
            return False
        print(target)
        return True

    photos = sorted(path for path in options.source.iterdir() if path.suffix.lower() in SUFFIXES)
    with ThreadPoolExecutor(4) as pool:
        return 0 if all(list(pool.map(one, photos))) else 1


if __name__ == "__main__":
    raise SystemExit(main())
