"""The moment at which a whole call must be over, however many requests it makes."""

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
    """Limits everything that this thread asks the service for in the block. Raises for what is no number."""
    token = _current.set(time.monotonic() + checked_number("timeout", seconds))
    try:
        yield
    finally:
        _current.reset(token)


def left() -> Optional[float]:
    """Seconds left, at least 0; None where nothing limits the call."""
    deadline = _current.get()
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def cut(seconds: float) -> float:
    """The shorter of ``seconds`` and of what is left. Raises for what is no number."""
    rest = left()
    own = min(checked_number("timeout", seconds), _LONGEST_SECONDS)
    return own if rest is None else min(own, rest)
