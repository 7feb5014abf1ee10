"""Enhances every photo of a folder, a few at a time, and goes on where it was stopped.

python batch_folder.py holiday better --operation auto_enhance
"""

from __future__ import annotations

import argparse
import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from image_enhancement import Client, EnhanceResult, ImageEnhancementError, JobFailedError, QuotaExceededError

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".avif"}


ATTEMPTS = 3


def enhance(client: Client, image: bytes, operation: str) -> EnhanceResult:
    # The same image and operation have the same key: started again, nothing is charged twice.
    key = hashlib.sha256(operation.encode() + b"\0" + image).hexdigest()
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return client.enhance(image, operation, idempotency_key=key)
        except JobFailedError as error:
            # A key stands for its job also when that has failed, at no cost: another job needs another key.
            if attempt == ATTEMPTS or not (error.retryable or error.code == "canceled"):
                raise
            key = f"{key.split('-')[0]}-{attempt + 1}"
    raise AssertionError("unreachable")


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
            enhance(client, image, options.operation).save(target)
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
