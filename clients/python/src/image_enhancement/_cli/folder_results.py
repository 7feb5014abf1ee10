"""Results in a folder, which are not images to enhance when the same folder is named as the input."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import Dict, Iterator, Optional, Sequence, Set, Tuple

from .inputs import JOURNALS, Input
from .targets import UsageError, identity_of


def results_among(files: Sequence[Input], folder: Path) -> Set[Input]:
    """The files that are results of any order in this folder. Raises UsageError if a journal cannot be read.

    Enhancing them again would double the number of images, and the costs, with every run.
    """
    folder_identity = identity_of(folder)
    results = {(folder_identity, _normalized(name)) for name in _names_in(folder)}
    parents: Dict[Path, Optional[Tuple[int, int]]] = {}

    def is_result(file: Path) -> bool:
        if file.parent not in parents:
            parents[file.parent] = identity_of(file.parent)
        # By its place. A link in another folder that leads to a result was put there to enhance it.
        return (parents[file.parent], _normalized(file.name)) in results

    return {file for file in files if isinstance(file, Path) and is_result(file)}


def _names_in(folder: Path) -> Iterator[str]:
    """The names of results in all journals. Other processes may be writing them."""
    for pattern in JOURNALS:
        for journal in folder.glob(pattern):
            try:
                lines = journal.read_bytes().split(b"\n")
            except OSError as error:
                raise UsageError(f"{journal} cannot be read: {error.strerror}.") from error
            for line in lines:
                output = _output_in(line)
                if output is not None:
                    # Earlier versions recorded the whole path.
                    yield os.path.basename(output)


def _normalized(name: str) -> str:
    """Some file systems return names with another encoding of an accent than they were given."""
    return unicodedata.normalize("NFC", name)


def _output_in(line: bytes) -> Optional[str]:
    if b'"output"' not in line:
        return None
    try:
        output = json.loads(line)["set"]["output"]
    except (ValueError, LookupError, TypeError):
        # Cut off by a power failure, or not about an image.
        return None
    return output if isinstance(output, str) else None
