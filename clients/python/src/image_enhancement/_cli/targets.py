"""Where results of the command line go: never over a source, never two to one place."""

from __future__ import annotations

import os
import threading
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Collection, Dict, Optional, Sequence

if TYPE_CHECKING:
    from .inputs import Input

STANDARD = Path("-")
"""Standard input, or output."""

_FORMATS = {"jpg": "jpeg", "jpeg": "jpeg", "png": "png", "webp": "webp", "avif": "avif"}
_EXTENSIONS = ("jpg", "png", "webp", "avif")


class UsageError(Exception):
    """The command line asks for something that cannot be."""


class Targets:
    """Where the results of a batch go, decided before anything is paid for.

    Results that would get the same name are numbered in the order of their sources, so that the same batch gives the
    same names, whichever job ends first. A source may be of another format than its name says: each has a name for
    every format, and those that the sources' own names promise are given first. The JavaScript command line names them
    by the same rules. ``label`` says in each name what was done. ``own``: results of an earlier run, which may be
    written over. Raises UsageError when a source, or without --force any other file that is there, would be.
    """

    def __init__(
        self,
        output: Optional[str],
        label: str,
        image_format: Optional[str],
        files: "Sequence[Input]",
        may_write_over: bool = False,
        own: Collection[str] = (),
    ) -> None:
        self._output = output
        self._label = label
        self._own = own
        self._files = files
        self._may_write_over = may_write_over
        self._folder = Path(output) if output is not None and _is_folder(output) else None
        self._names: "Dict[Input, Dict[str, Path]]" = {file: {} for file in files}
        self._numbers: Dict[str, int] = {}
        self._lock = threading.Lock()
        self.is_standard = output == "-" or (output is None and STANDARD in files)
        """Whether standard output is the image's, so that nothing else may be written there."""
        self._check_count()
        for file in files:
            for extension in _extensions_of(file, image_format):
                self._check(self._name_of(file, extension))
        # Not checked yet: most are never used.
        for file in files:
            for extension in _EXTENSIONS:
                self._name_of(file, extension)
        self._make_folder()

    def of(self, source: "Input", extension: str) -> Path:
        """Where the result of a source goes. Raises UsageError when nothing may be written there as it is now."""
        with self._lock:
            target = self._name_of(source, extension)
        self._check(target)
        return target

    def _check_count(self) -> None:
        if len(self._files) < 2:
            return
        if self.is_standard:
            raise UsageError("Only one image can go to standard output.")
        if self._output is not None and self._folder is None:
            raise UsageError(
                f'--output must be a folder for several images; {self._output} is none. End it with "/" to make it.'
            )

    def _name_of(self, file: "Input", extension: str) -> Path:
        """The name that a result has with this extension; the first to ask for one that others have, too, has no
        number."""
        names = self._names[file]
        if extension not in names:
            key = _key_of(self._path_of(file, extension, 1))
            self._numbers[key] = self._numbers.get(key, 0) + 1
            names[extension] = self._path_of(file, extension, self._numbers[key])
        return names[extension]

    def _check(self, target: Path) -> None:
        if target == STANDARD or not target.exists():
            return
        sources = (file for file in self._files if isinstance(file, Path) and file != STANDARD)
        if any(source.exists() and target.samefile(source) for source in sources):
            raise UsageError(f"{target} is a source and is never written over. Choose another --output.")
        if not self._may_write_over and os.path.abspath(target) not in self._own:
            raise UsageError(f"{target} exists. Choose another --output, or write over it with --force.")

    def _path_of(self, source: "Input", extension: str, number: int) -> Path:
        if self.is_standard:
            return STANDARD
        if self._output is not None and self._folder is None:
            return Path(self._output)
        folder = source.parent if self._folder is None else self._folder
        stem = "image" if source == STANDARD else source.stem
        suffix = "" if number == 1 else f"-{number}"
        return folder / f"{stem}.{self._label}{suffix}.{extension}"

    def _make_folder(self) -> None:
        """Now, since a result that was paid for could not be written without it."""
        if self._output is None or self.is_standard:
            return
        folder = Path(self._output).parent if self._folder is None else self._folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"The folder {folder} cannot be made: {error}") from error


def _is_folder(output: str) -> bool:
    return output.endswith(("/", "\\")) or Path(output).is_dir()


def _key_of(target: Path) -> str:
    """Upper and lower case, and the ways to write an accent, are the same to some file systems."""
    return unicodedata.normalize("NFC", os.path.abspath(target)).lower()


def _extensions_of(file: "Input", image_format: Optional[str]) -> Sequence[str]:
    """What the result's name may end in; the format of a source tells it, where its own name does not."""
    if image_format == "any":
        return _EXTENSIONS
    chosen = image_format or format_of(file.suffix)
    return _EXTENSIONS if chosen is None else [extension_of(chosen)]


def extension_of(image_format: str) -> str:
    """Of a file with an image of this format."""
    return "jpg" if image_format == "jpeg" else image_format


def format_of(suffix: str) -> Optional[str]:
    """Of a file whose name ends so, however it is written."""
    return _FORMATS.get(suffix.lstrip(".").lower())
