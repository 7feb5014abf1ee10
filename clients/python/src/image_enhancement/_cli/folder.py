"""``enhance folder/``: enhances the images of a folder as batches. The run can be stopped and resumed."""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import List

from ..client import Client
from .folder_journal import FolderJournal, name_of
from .folder_results import results_among
from .folder_run import FolderRun
from .inputs import expand, other_images, subfolders
from .job_options import output_of
from .order import request_of
from .reports import tell
from .targets import STANDARD, UsageError

_MOST_NAMED = 3


def enhance_folder(client: Client, options: argparse.Namespace) -> int:
    """Enhances every image. Returns the exit code."""
    if options.output in (None, "-"):
        raise UsageError("Name a folder for the results of a folder: --out done/")
    files = expand(options.files)
    if STANDARD in files:
        raise UsageError("Standard input cannot be part of a folder.")
    folder = Path(options.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    journal = FolderJournal(folder / f".image-enhancement-{_digest_of(options)}.jsonl")
    try:
        results = results_among(files, folder)
        awaited = journal.awaited() if results else ()
        images = [file for file in files if file not in results or name_of(file) in awaited]
        if not images:
            raise UsageError(f"All images are results in {folder}. To enhance them, choose another --out.")
        left_out = len(files) - len(images)
        # With --json, too, whose lines are on standard output: nothing else tells that these images are not enhanced.
        if left_out and not options.quiet:
            tell(
                f"{left_out} of {len(files)} images are results of earlier runs in {folder} and are left out."
                " To enhance them, choose another --out."
            )
        others = other_images(options.files)
        if others and not options.quiet:
            tell(_other_types([str(file) for file in others]))
        unsearched = subfolders(options.files, folder)
        if unsearched and not options.quiet:
            tell(_unsearched([str(path) for path in unsearched]))
        return FolderRun(client, options, images, journal, results).run()
    finally:
        journal.close()


def _other_types(files: List[str]) -> str:
    return (
        "Left out, because only .jpg, .jpeg, .png, .webp and .avif files of a folder are enhanced:"
        f" {_some_of(files)}"
    )


def _unsearched(folders: List[str]) -> str:
    return f"Left out, because the images of a subfolder are enhanced only if you name it, too: {_some_of(folders)}"


def _some_of(paths: List[str]) -> str:
    more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    return f"{', '.join(paths[:_MOST_NAMED])}{more}"


def _digest_of(options: argparse.Namespace) -> str:
    """The digest of an order. Each order has its own journal."""
    order = [request_of(options, output_of(options, options.background)), options.background_fit]
    return hashlib.sha256(json.dumps(order, sort_keys=True).encode()).hexdigest()[:12]
