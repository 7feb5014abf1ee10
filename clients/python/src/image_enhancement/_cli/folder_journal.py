"""Records the progress of a run over a folder, so that it can continue after a crash."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Dict, List, Optional, Set, Tuple

from .inputs import Input, WebImage
from .targets import UsageError

try:
    import fcntl
except ImportError:  # This module does not exist on Windows.
    fcntl = None  # type: ignore[assignment]


@dataclass
class Image:
    """One image of the folder."""

    stamp: Tuple[int, int] = (0, 0)
    """Size and time of the file that was uploaded: another one is a new image."""
    source_url: Optional[str] = None
    upload_count: int = 0
    output: Optional[str] = None
    """The name of its result in the output folder: written down before the file is there."""
    is_saved: bool = False


@dataclass
class SentBatch:
    """A batch: planned, or sent if it is in the journal."""

    key: str
    files: List[str] = field(default_factory=list)
    """Names in the order of the sources; empty for an image that is not wanted from this batch any more. None
    at all for a batch that was refused.
    """
    urls: List[str] = field(default_factory=list)
    terms: Dict[str, Any] = field(default_factory=dict)
    """Sent with the batch, even by a later run with other flags, because a repeated request must be equal."""
    background: Optional[str] = None
    """The upload that the batch was sent with."""
    preset_output: Optional[Dict[str, Any]] = None
    """The output of its preset that it was sent with. None if nothing was merged over one."""
    sent_at: float = 0.0
    """Seconds since 1970; 0 for a batch that was only planned."""
    id: Optional[str] = None
    has_ended: bool = False
    retry_count: int = 0

    @property
    def is_in_doubt(self) -> bool:
        """Whether it was sent, but it is unknown whether it was created."""
        return self.id is None and self.sent_at > 0 and len(self.files) > 0


@dataclass(frozen=True)
class UploadedBackground:
    """The background picture of a run."""

    source_url: Optional[str]
    stamp: Optional[Tuple[int, int]]
    upload_count: int
    """How many of its uploads the service has lost."""


@dataclass
class _State:
    run: str = ""
    background: Optional[str] = None
    background_stamp: Optional[Tuple[int, int]] = None
    background_upload_count: int = 0
    images: Dict[str, Image] = field(default_factory=dict)
    batches: Dict[str, SentBatch] = field(default_factory=dict)


class FolderJournal:
    """The journal of one order in one output folder. Each step is a line of JSON, written before the next
    step.

    Each line changes one image, one batch, or the run. A line that was cut off by a power failure is ignored.
    Raises UsageError while another process uses the journal.
    """

    def __init__(self, path: Path) -> None:
        self._state = _State()
        self._lock = threading.Lock()
        self._path = path
        self._file = _opened(path)
        for line in self._file.read().split(b"\n"):
            self._replay(line)
        if not self._state.run:
            try:
                self.note(run=str(uuid.uuid4()))
            except UsageError:
                self.close()
                raise

    @property
    def run(self) -> str:
        """Identifies the run, even after a crash."""
        return self._state.run

    @property
    def background(self) -> "UploadedBackground":
        """The picture that was uploaded as the background."""
        state = self._state
        return UploadedBackground(state.background, state.background_stamp, state.background_upload_count)

    @property
    def batches(self) -> List[SentBatch]:
        """All batches that were sent, or were about to be sent, in order."""
        return list(self._state.batches.values())

    def awaited(self) -> Set[str]:
        """The names of images that were sent, and whose results were not saved. Results of this order are never
        among them, because a run does not start when one of its results is a source.
        """
        images = self._state.images
        own = {os.path.basename(image.output) for image in images.values() if image.output is not None}
        sent = {name for batch in self.batches if batch.id or batch.is_in_doubt for name in batch.files}
        return {
            name
            for name in sent
            if os.path.basename(name) not in own and not images.get(name, Image()).is_saved
        }

    def image(self, file: Input) -> Image:
        """The recorded state of an image."""
        return self._state.images.setdefault(name_of(file), Image())

    def forget(self, file: Input, stamp: Optional[Tuple[int, int]] = None) -> None:
        """Makes the next run upload and enhance the image again. ``stamp``: that of a changed file."""
        name, image = name_of(file), self.image(file)
        for batch in self.batches:
            if name in batch.files:
                self.note_batch(batch.key, files=["" if each == name else each for each in batch.files])
        self.note_image(
            file,
            stamp=image.stamp if stamp is None else stamp,
            source_url=None,
            is_saved=False,
            upload_count=image.upload_count + 1,
        )

    def note(self, **change: Any) -> None:
        """Changes the run: ``run``, ``background``, ``background_stamp``, ``background_upload_count``."""
        self._write({"set": change})

    def note_image(self, file: Input, **change: Any) -> None:
        """Changes fields of an image."""
        self._write({"image": name_of(file), "set": change})

    def note_sent(self, batch: SentBatch) -> None:
        """Adds a planned batch immediately before its request."""
        if self._state.batches.get(batch.key) is batch:
            return
        self._state.batches[batch.key] = batch
        names = ("files", "urls", "terms", "background", "preset_output")
        change = {name: getattr(batch, name) for name in names}
        self.note_batch(batch.key, **change, sent_at=time.time())

    def note_batch(self, key: str, **change: Any) -> None:
        """Changes fields of a batch."""
        self._write({"batch": key, "set": change})

    def close(self) -> None:
        """Releases the journal for other processes."""
        # After a failed write, closing tries to write again, and then closes the file all the same.
        with suppress(OSError):
            self._file.close()

    def _write(self, line: Dict[str, Any]) -> None:
        with self._lock:
            try:
                self._file.write(json.dumps(line).encode() + b"\n")
                self._file.flush()
            except OSError as error:
                raise UsageError(f"{self._path} cannot be written: {error.strerror}.") from error
            self._apply(line)

    def _replay(self, line: bytes) -> None:
        try:
            self._apply(json.loads(line))
        except ValueError:
            return

    def _apply(self, line: Dict[str, Any]) -> None:
        change = line["set"]
        target: object = self._state
        if "image" in line:
            target = self._state.images.setdefault(line["image"], Image())
        elif "batch" in line:
            key = line["batch"]
            target = self._state.batches.setdefault(key, SentBatch(key))
            if "urls" in change:
                # Earlier versions recorded the background of all batches together: the one at this moment.
                change = {"background": self._state.background, **change}
        elif change.get("background") is not None:
            self._give_background(change["background"])
        for name, value in change.items():
            setattr(target, name, tuple(value) if name.endswith("stamp") and value else value)

    def _give_background(self, url: str) -> None:
        """Earlier versions recorded the first background after the batches that were sent with it."""
        for batch in self._state.batches.values():
            if batch.background is None:
                batch.background = url


def stamp_of(file: Path) -> Tuple[int, int]:
    """Size and time of a file: another stamp means another image. Raises OSError."""
    status = file.stat()
    return status.st_size, status.st_mtime_ns


def key_of(*parts: str) -> str:
    """The idempotency key of a request. A later run sends the same."""
    # File names need not be valid text.
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def name_of(file: Input) -> str:
    """The name that identifies an image."""
    return str(file) if isinstance(file, WebImage) else os.path.abspath(file)


def _opened(path: Path) -> IO[bytes]:
    try:
        file = path.open("a+b")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise UsageError("Another run works with this folder. Wait for its end.") from None
    file.seek(0)
    text = file.read()
    if text and not text.endswith(b"\n"):
        file.write(b"\n")
    file.seek(0)
    return file
