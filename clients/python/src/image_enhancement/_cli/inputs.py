"""Images on the command line: files, patterns, folders, and URLs."""

from __future__ import annotations

import glob
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Union
from urllib.parse import unquote, urlsplit

from .targets import STANDARD, UsageError, format_of


@dataclass(frozen=True)
class WebImage:
    """An image on the web, with the parts of a path that result names need."""

    url: str

    @property
    def name(self) -> str:
        """The last part of the path, without characters that are special in file systems."""
        last = unquote(urlsplit(self.url).path).rpartition("/")[2]
        return re.sub(r"[^\w.-]", "_", last) or "image"

    @property
    def stem(self) -> str:
        """The name without its extension."""
        return Path(self.name).stem

    @property
    def suffix(self) -> str:
        """The extension with its dot."""
        return Path(self.name).suffix

    @property
    def parent(self) -> Path:
        """The default folder of its result."""
        return Path()

    def __str__(self) -> str:
        return self.url


Input = Union[Path, WebImage]

JOURNALS = (".image-enhancement-*.jsonl", ".enhance-*.jsonl")
"""Those of this command line, and of the JavaScript one. They name results in the same way."""

_RAW_FORMATS = ".dng .cr2 .cr3 .nef .arw .orf .raf .rw2"
_OTHER_IMAGES = f".tif .tiff .heic .heif .bmp .gif .jxl .jp2 .j2k .svg .psd .jpe .jfif {_RAW_FORMATS}".split()
"""Extensions of images that the service does not accept, and of JPEGs that the command line does not recognize."""


def expand(patterns: List[str]) -> List[Input]:
    """The files for names, patterns, and folders, and URLs. Each is listed once.

    Some shells leave patterns to the program. For a folder, lists its images, without subfolders. Raises
    UsageError.
    """
    inputs: Dict[str, Input] = {}
    for pattern in patterns:
        for each in _matches(pattern):
            is_file = isinstance(each, Path) and each != STANDARD
            inputs.setdefault(os.path.abspath(str(each)) if is_file else str(each), each)
    return list(inputs.values())


def has_folder(patterns: List[str]) -> bool:
    """Whether an argument is a folder, whose images are enhanced as a batch."""
    return any(os.path.isdir(pattern) for pattern in patterns)


def other_images(patterns: List[str]) -> List[Path]:
    """The images in folders that ``expand`` leaves out because of their type."""
    folders = dict.fromkeys(pattern for pattern in patterns if os.path.isdir(pattern))
    files = (file for folder in folders for file in Path(folder).iterdir())
    return sorted(
        file
        for file in files
        if file.suffix.lower() in _OTHER_IMAGES and not file.name.startswith(".") and file.is_file()
    )


def subfolders(patterns: List[str], output: Path) -> List[Path]:
    """The subfolders of folders, whose images ``expand`` leaves out. Omits hidden ones, folders that are named
    themselves, and folders of results, which have a journal or are ``output``.
    """
    known = {os.path.abspath(path) for path in [*patterns, str(output)]}
    folders = dict.fromkeys(pattern for pattern in patterns if os.path.isdir(pattern))
    return sorted(
        path
        for folder in folders
        for path in Path(folder).iterdir()
        if path.is_dir()
        and not path.is_symlink()
        and not path.name.startswith(".")
        and os.path.abspath(path) not in known
        and not any(any(path.glob(journal)) for journal in JOURNALS)
    )


def _matches(pattern: str) -> List[Input]:
    # For pathlib, it is the current folder, and all images there would be enhanced.
    if not pattern:
        raise UsageError("The path of an image is empty.")
    if pattern.lower().startswith(("http://", "https://")):
        return [WebImage(pattern)]
    path = Path(pattern)
    if path == STANDARD or path.is_file():
        return [path]
    if path.is_dir():
        return _images_in(path)
    found: List[Input] = [Path(name) for name in sorted(glob.glob(pattern, recursive=True)) if os.path.isfile(name)]
    if not found:
        if glob.has_magic(pattern):
            raise UsageError(f'No file matches "{pattern}".')
        raise UsageError(f"{pattern} cannot be read: there is no such file.")
    return found


def _images_in(folder: Path) -> List[Input]:
    files = sorted(folder.iterdir())
    images: List[Input] = [
        file
        for file in files
        if format_of(file.suffix) is not None and not file.name.startswith(".") and file.is_file()
    ]
    if not images:
        hint = " To enhance the images of its subfolders, name these." if any(map(Path.is_dir, files)) else ""
        raise UsageError(f"There is no JPEG, PNG, WebP or AVIF image in the folder {folder}.{hint}")
    return images
