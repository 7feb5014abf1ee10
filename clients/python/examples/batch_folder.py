"""Enhances every photo of a folder, a few at a time, and goes on where it was stopped.

python batch_folder.py holiday better --operation auto_enhance
"""

from __future__ import annotations

import argparse
import hashlib
import threading
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
    is_used_up = threading.Event()

    def one(photo: Path) -> bool:
        target = options.target / photo.name
        if target.exists():
            return True
        if is_used_up.is_set():
            return False
        try:
            image = photo.read_bytes()
            # The same image and operation have the same key: started again, nothing is charged twice.
            key = hashlib.sha256(options.operation.encode() + b"\0" + image).hexdigest()
            client.enhance(image, options.operation, idempotency_key=key).save(target)
        except ImageEnhancementError as error:
            print(f"{photo.name}: {error}")
            # The others would only hear the same.
            if isinstance(error, QuotaExceededError):
                is_used_up.set()
            return False
        print(target)
        return True

    photos = sorted(path for path in options.source.iterdir() if path.suffix.lower() in SUFFIXES)
    with ThreadPoolExecutor(4) as pool:
        return 0 if all(list(pool.map(one, photos))) else 1


if __name__ == "__main__":
    raise SystemExit(main())
