"""The deadline of a whole call, regardless of its number of requests."""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Iterator, Optional

from .numbers import checked_number

_LONGEST_SECONDS = 1e6
"""What every system can count for a connection: eleven days. Some count less than for ever."""

_current: ContextVar[Optional[float]] = ContextVar("deadline", default=None)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Limits all requests of this thread in the block. Raises an error for a value that is not a number."""
    token = _current.set(time.monotonic() + checked_number("timeout", seconds))
    try:
        yield
    finally:
        _current.reset(token)


def left() -> Optional[float]:
    """Seconds left, at least 0; None if there is no limit."""
    deadline = _current.get()
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def cut(seconds: float) -> float:
    """The smaller of ``seconds`` and the time left. Raises an error for a value that is not a number."""
    rest = left()
    own = min(checked_number("timeout", seconds), _LONGEST_SECONDS)
    return own if rest is None else min(own, rest)
