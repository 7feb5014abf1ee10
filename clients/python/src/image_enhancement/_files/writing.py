"""Writes what is downloaded."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator


class NotWritten(Exception):
    """The disk's fault, which must not be taken for the connection's."""

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
