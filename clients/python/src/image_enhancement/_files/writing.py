"""Writes downloads to disk."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator


class NotWritten(Exception):
    """A disk error, which must not be mistaken for a connection error."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


@contextmanager
def written() -> Iterator[None]:
    """Raises NotWritten for an OSError in the block."""
    try:
        yield
    except OSError as error:
        raise NotWritten(error) from error
