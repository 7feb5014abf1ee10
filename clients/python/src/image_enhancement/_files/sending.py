"""Upload bodies and their progress."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Callable, Iterator

_PART_BYTES = 16 * 1024


@dataclass(frozen=True)
class UploadProgress:
    """How much of an upload was sent."""

    sent_bytes: int
    """Of this attempt; a retry starts at 0 again."""
    total_bytes: int


UploadCallback = Callable[[UploadProgress], None]


class BodyWithProgress(io.BytesIO):
    """A body that reports how much of it was read for sending."""

    def __init__(self, body: bytes, on_progress: UploadCallback) -> None:
        super().__init__(body)
        self._total = len(body)
        self._on_progress = on_progress

    def read(self, size: "int | None" = -1, /) -> bytes:
        """The next part."""
        part = super().read(size)
        self._on_progress(UploadProgress(self.tell(), self._total))
        return part

    def __iter__(self) -> Iterator[bytes]:
        """The body in parts, for transports that iterate."""
        return iter(lambda: self.read(_PART_BYTES), b"")
