"""Enhances every photo in a folder, a few at a time. Continues after an interruption.

python batch_folder.py holiday better --operation auto_enhance
"""

from __future__ import annotations

import argparse
import hashlib
import os
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from image_enhancement import Client, ImageEnhancementError, JobState, OperationName, QuotaExceededError

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".avif"}
ATTEMPTS = 3
# The job was canceled, or the service no longer has the source, the result, or the upload for its key.
OVER = {"canceled", "gone", "not_found", "idempotency_mismatch"}


def enhance(client: Client, photo: Path, target: Path, operation: OperationName) -> None:
    """Enhances one photo. A note next to the target identifies the unfinished photo: its job, or the
    idempotency key of the next one. A later run, even days later, continues with that job and pays for no
    second one. A failed job costs nothing, but its key still refers to it, so another attempt needs a new
    key. Identical photos have separate notes, because a new attempt in one thread must not separate the
    others from their job.
    """
    image = photo.read_bytes()
    digest = hashlib.sha256(b"\0".join((operation.encode(), os.fsencode(photo.name), image))).hexdigest()
    note = target.with_name(f".{digest}.job")
    known = (note.exists() and note.read_text("ascii")) or digest

    def remember(state: JobState) -> None:
        replace(note, state.job.id)

    for attempt in range(1, ATTEMPTS + 1):
        try:
            if known.startswith("job_"):
                result = client.result(known)
            else:
                result = client.enhance(image, operation, idempotency_key=known, on_progress=remember)
            result.save(target)
            note.unlink(missing_ok=True)
            return
        except ImageEnhancementError as error:
            if not (getattr(error, "retryable", False) or error.code in OVER):
                raise
            known = str(uuid.uuid4())
            replace(note, known)
            if attempt == ATTEMPTS:
                raise


def replace(note: Path, text: str) -> None:
    """Replaces the note atomically, so that a killed run still knows what it has paid for."""
    draft = note.with_name(f"{note.name}.{os.getpid()}")
    draft.write_text(text, "ascii")
    draft.replace(note)


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
            enhance(client, photo, target, options.operation)
        except ImageEnhancementError as error:
            print(f"{photo.name}: {error}")
            # The other photos would be refused, too.
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
