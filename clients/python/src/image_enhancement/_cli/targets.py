"""Output paths of the command line. Never overwrites a source, and never writes two results to one path."""

from __future__ import annotations

import os
import tempfile
import threading
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Dict, Mapping, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from .inputs import Input

STANDARD = Path("-")
"""Standard input, or output."""

_FORMATS = {"jpg": "jpeg", "jpeg": "jpeg", "png": "png", "webp": "webp", "avif": "avif"}
_EXTENSIONS = ("jpg", "png", "webp", "avif")


class UsageError(Exception):
    """Invalid arguments."""


class Targets:
    """The output paths of a run, decided before anything is paid for.

    Results that would get the same name are numbered in the order of their sources, so that the names do not
    depend on which job ends first. The format of a source may differ from its file extension, so each source
    reserves a name for every format; names that match the sources' own extensions are assigned first. The
    JavaScript command line follows the same rules. ``label`` is the part of each name that describes the
    work. ``own``: paths of the results of an earlier run. Each image keeps its own, which may be overwritten,
    and no other image gets it. Raises UsageError when a source would be overwritten, or any existing file
    without --force. ``may_skip``: leave out sources that have a result.
    """

    def __init__(
        self,
        output: Optional[str],
        label: str,
        image_format: Optional[str],
        files: "Sequence[Input]",
        may_write_over: bool = False,
        own: "Optional[Mapping[Input, Path]]" = None,
        may_skip: bool = False,
    ) -> None:
        self._output = output
        self._label = label
        self._own = own or {}
        self._taken = {_key_of(path) for path in self._own.values()}
        self._files = files
        # Once, because a comparison with every source for every target would take hours for a large folder.
        sources = [file for file in files if isinstance(file, Path) and file != STANDARD]
        self._sources = {identity_of(file) for file in sources}
        # Also the paths, because a source may be replaced while the run works.
        self._source_paths = {os.path.abspath(file) for file in sources}
        self._may_write_over = may_write_over
        self._folder = Path(output) if output is not None and is_folder(output) else None
        self._names: "Dict[Input, Dict[str, Path]]" = {file: {} for file in files}
        self._numbers: Dict[str, int] = {}
        self._chosen: "Dict[Input, Path]" = {}
        self._lock = threading.Lock()
        self.is_standard = output == "-" or (output is None and STANDARD in files)
        """Whether standard output is the image's, so that nothing else may be written there."""
        self.existing: "Dict[Input, Path]" = {}
        """With ``may_skip``, the results that sources already have. These sources are not enhanced."""
        self._check_count()
        for file in files:
            if file not in self._own:
                for extension in _extensions_of(file, image_format):
                    self._name_of(file, extension)
        # These names are reserved, but not checked yet, because most of them are never used.
        for file in files:
            for extension in _EXTENSIONS:
                self._name_of(file, extension)
        for file in files:
            found = self._existing_of(file, image_format) if may_skip else None
            if file in self._own:
                self._check_source(self._own[file])
            elif found is not None:
                self.existing[file] = found
            else:
                self._check_names(file, image_format)
        self._make_folder()
        self._check_folders()

    def of(self, source: "Input", extension: str) -> Path:
        """The path of a source's result. Raises UsageError when nothing may be written there now."""
        own = self._own.get(source)
        if own is not None and own.suffix == f".{extension}":
            self._check_source(own)
            return own
        with self._lock:
            target = self._name_of(source, extension)
        self._check(target)
        self._chosen[source] = target
        return target

    def download_target(self, source: "Input") -> str:
        """Where to download the result of a source that was not saved: its path, if ``of`` has returned it, or
        else a file, a folder with a slash at its end, or ``-`` for standard output.
        """
        if source in self._chosen:
            return str(self._chosen[source])
        if self.is_standard:
            return str(STANDARD)
        is_free = self._output is not None and (self._may_write_over or not os.path.exists(self._output))
        if is_free and self._folder is None:
            return str(self._output)
        with self._lock:
            return f"{self._name_of(source, 'jpg').parent}/"

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
        """The name of a result with this extension. The first source of several with the same name gets no
        number.
        """
        names = self._names[file]
        if extension not in names:
            key = _key_of(self._path_of(file, extension, 1))
            number = self._numbers.get(key, 0) + 1
            while _key_of(self._path_of(file, extension, number)) in self._taken:
                number += 1
            self._numbers[key] = number
            names[extension] = self._path_of(file, extension, number)
        return names[extension]

    def _check_names(self, file: "Input", image_format: Optional[str]) -> None:
        """Before anything is sent."""
        for extension in _extensions_of(file, image_format):
            self._check(self._name_of(file, extension), ", leave out such images with --skip-existing")

    def _existing_of(self, file: "Input", image_format: Optional[str]) -> Optional[Path]:
        """In any format that the options allow, because a source may have another one than its name says."""
        is_any = image_format is None or image_format == "any"
        extensions = _EXTENSIONS if is_any else [extension_of(str(image_format))]
        targets = (self._name_of(file, extension) for extension in extensions)
        return next((path for path in targets if path != STANDARD and path.exists() and not self._is_source(path)), None)

    def _check(self, target: Path, remedy: str = "") -> None:
        """``remedy``: another one than those that always help."""
        self._check_source(target)
        if target != STANDARD and target.exists() and not self._may_write_over:
            raise UsageError(f"{target} exists. Choose another --output{remedy}, or write over it with --force.")

    def _check_source(self, target: Path) -> None:
        if target != STANDARD and self._is_source(target):
            raise UsageError(f"{target} is a source and is never written over. Choose another --output.")

    def _is_source(self, target: Path) -> bool:
        found = identity_of(target)
        return os.path.abspath(target) in self._source_paths or (found is not None and found in self._sources)

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
        """Creates the folder before the job, because a paid result could not be written without it."""
        if self._output is None or self.is_standard:
            return
        make_folder(Path(self._output).parent if self._folder is None else self._folder)

    def _check_folders(self) -> None:
        """Checks that results can be written, for the same reason."""
        if self.is_standard:
            return
        for folder in dict.fromkeys(self._name_of(file, "jpg").parent for file in self._files):
            check_writable(folder)


def make_folder(folder: Path) -> None:
    """Creates a folder of results. Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"The folder {folder} cannot be made: {error.strerror}.") from error


def check_writable(folder: Path) -> None:
    """Raises UsageError when no file can be created in a folder."""
    reason = _refusal_of(folder)
    if reason is not None:
        raise UsageError(f"The folder {folder} cannot be written: {reason}.")


def _refusal_of(folder: Path) -> Optional[str]:
    """Why nothing can be written in a folder. None if files can be created."""
    if os.access(folder, os.W_OK):
        return None
    try:
        # Only an error says the reason.
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return error.strerror or str(error)
    return None


def identity_of(path: Path) -> Optional[Tuple[int, int]]:
    """Identifies the file behind a path, which links and other spellings share. None if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def is_folder(output: str) -> bool:
    """Whether results get names of their own in ``output``."""
    return output.endswith(("/", "\\")) or Path(output).is_dir()


def _key_of(target: Path) -> str:
    """Some file systems treat uppercase and lowercase, and different encodings of an accent, as equal."""
    return unicodedata.normalize("NFC", os.path.abspath(target)).lower()


def _extensions_of(file: "Input", image_format: Optional[str]) -> Sequence[str]:
    """The possible extensions of a result: all, unless the options or the source's extension determine the
    format.
    """
    if image_format == "any":
        return _EXTENSIONS
    chosen = image_format or format_of(file.suffix)
    return _EXTENSIONS if chosen is None else [extension_of(chosen)]


def extension_of(image_format: str) -> str:
    """The file extension for images of this format."""
    return "jpg" if image_format == "jpeg" else image_format


def format_of(suffix: str) -> Optional[str]:
    """The format for a file extension, in any case."""
    return _FORMATS.get(suffix.lstrip(".").lower())
