"""Where results of the command line go: never over a source, never two to one place."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Dict, List, Optional

STANDARD = Path("-")
"""Standard input, or output."""


class UsageError(Exception):
    """The command line asks for something that cannot be."""


class Targets:
    """Decided before anything is paid for, but for the format, which the service may choose."""

    def __init__(self, output: Optional[str], operation: str, files: List[Path]) -> None:
        self._operation = operation
        self._folder: Optional[Path] = None
        self._file: Optional[Path] = None
        self._taken: Dict[Path, Path] = {}
        self._lock = threading.Lock()
        if output is None:
            return
        path = Path(output)
        if output == "-":
            if len(files) > 1:
                raise UsageError("Only one image can go to standard output.")
            self._file = STANDARD
        elif len(files) > 1 or output.endswith(("/", "\\")) or path.is_dir():
            if path.is_file():
                raise UsageError(f"{output} is a file; several results need a folder.")
            path.mkdir(parents=True, exist_ok=True)
            self._folder = path
        elif not path.parent.is_dir():
            raise UsageError(f"There is no folder {path.parent}.")
        else:
            self._file = path

    def keep(self, files: List[Path], image_format: Optional[str]) -> None:
        """Raises UsageError when a file that is there would be written over."""
        for file in files:
            chosen = "png" if image_format is None and self._operation == "bg_remove" else image_format
            target = self.of(file, extension_of(chosen) if chosen else file.suffix.lstrip("."))
            if target != STANDARD and target.exists():
                raise UsageError(f"{target} exists. Choose another --output, or write over it with --force.")

    def of(self, source: Path, extension: str) -> Path:
        """Where the result of a source goes."""
        if self._file is not None:
            return self._file
        if source == STANDARD and self._folder is None:
            return STANDARD
        folder = source.parent if self._folder is None else self._folder
        stem = "image" if source == STANDARD else source.stem
        with self._lock:
            number = 1
            while True:
                suffix = "" if number == 1 else f"-{number}"
                target = folder / f"{stem}.{self._operation}{suffix}.{extension}"
                if self._taken.setdefault(target, source) == source:
                    return target
                number += 1


def extension_of(image_format: str) -> str:
    """Of a file with an image of this format."""
    return "jpg" if image_format == "jpeg" else image_format
