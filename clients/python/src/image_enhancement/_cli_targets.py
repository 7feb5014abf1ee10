"""Where results of the command line go: never over a source, never two to one place."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Dict, List, Optional, Sequence

STANDARD = Path("-")
"""Standard input, or output."""


_FORMATS = {"jpg": "jpeg", "jpeg": "jpeg", "png": "png", "webp": "webp", "avif": "avif"}


class UsageError(Exception):
    """The command line asks for something that cannot be."""


class Targets:
    """Decided before anything is paid for, but for the format, which the service may choose."""

    def __init__(
        self, output: Optional[str], operation: str, files: List[Path], may_write_over: bool = False
    ) -> None:
        self._operation = operation
        self._sources = [file for file in files if file != STANDARD]
        self._may_write_over = may_write_over
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
        """Raises UsageError when a source, or without --force any file that is there, would be written over."""
        for file in files:
            for extension in self._extensions_of(file, image_format):
                self.check(self._name_of(file, extension, 1))

    def check(self, target: Path) -> None:
        """Raises UsageError when nothing may be written to this place as it is now."""
        if target == STANDARD or not target.exists():
            return
        if any(source.exists() and target.samefile(source) for source in self._sources):
            raise UsageError(f"{target} is a source and is never written over. Choose another --output.")
        if not self._may_write_over:
            raise UsageError(f"{target} exists. Choose another --output, or write over it with --force.")

    def _extensions_of(self, file: Path, image_format: Optional[str]) -> Sequence[str]:
        """What the result's name may end in; the format of a source tells it, where its own name does not."""
        chosen = "png" if image_format is None and self._operation == "bg_remove" else image_format
        chosen = chosen or format_of(file.suffix)
        return sorted({extension_of(each) for each in _FORMATS.values()}) if chosen is None else [extension_of(chosen)]

    def of(self, source: Path, extension: str) -> Path:
        """Where the result of a source goes."""
        with self._lock:
            number = 1
            while True:
                target = self._name_of(source, extension, number)
                if target in (self._file, STANDARD) or self._taken.setdefault(target, source) == source:
                    return target
                number += 1

    def _name_of(self, source: Path, extension: str, number: int) -> Path:
        if self._file is not None:
            return self._file
        if source == STANDARD and self._folder is None:
            return STANDARD
        folder = source.parent if self._folder is None else self._folder
        stem = "image" if source == STANDARD else source.stem
        suffix = "" if number == 1 else f"-{number}"
        return folder / f"{stem}.{self._operation}{suffix}.{extension}"


def extension_of(image_format: str) -> str:
    """Of a file with an image of this format."""
    return "jpg" if image_format == "jpeg" else image_format


def format_of(suffix: str) -> Optional[str]:
    """Of a file whose name ends so, however it is written."""
    return _FORMATS.get(suffix.lstrip(".").lower())
