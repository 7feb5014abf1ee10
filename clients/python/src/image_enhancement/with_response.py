"""The response that contained the value of a call."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timezone
from http.client import HTTPMessage
from typing import Generic, Iterator, List, Optional, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class RateLimit:
    """The rate limit of the key."""

    limit: int
    """Requests per minute."""
    remaining: int
    """Requests left right now."""
    resets_at: datetime
    """When the full limit is available again."""


@dataclass(frozen=True)
class WithResponse(Generic[T]):
    """The value of a call with its response."""

    data: T
    status: int
    request_id: Optional[str]
    """None when a server in between answered."""
    rate_limit: Optional[RateLimit]
    """None when the response has none."""
    headers: HTTPMessage


@dataclass(frozen=True)
class Seen:
    """A successful response."""

    status: int
    headers: HTTPMessage


_SEEN: ContextVar[Optional[List[Seen]]] = ContextVar("image_enhancement_responses", default=None)


def note_response(status: int, headers: HTTPMessage) -> None:
    """Remembers a successful response, if anyone wants it."""
    seen = _SEEN.get()
    if seen is not None:
        seen.append(Seen(status, headers))


@contextmanager
def noted_responses() -> Iterator[List[Seen]]:
    """Collects the successful responses of a call, in order."""
    seen: List[Seen] = []
    token = _SEEN.set(seen)
    try:
        yield seen
    finally:
        _SEEN.reset(token)


def with_last(data: T, seen: List[Seen]) -> WithResponse[T]:
    """The value with the last response. Raises ValueError when the call sent no request."""
    if not seen:
        raise ValueError("The call sent no request to the API.")
    status, headers = seen[-1].status, seen[-1].headers
    return WithResponse(data, status, headers.get("x-request-id"), _rate_limit_of(headers), headers)


def _rate_limit_of(headers: HTTPMessage) -> Optional[RateLimit]:
    try:
        limit, remaining, reset = (int(headers[f"x-ratelimit-{name}"]) for name in ("limit", "remaining", "reset"))
    except (TypeError, ValueError):
        return None
    return RateLimit(limit, remaining, datetime.fromtimestamp(reset, timezone.utc))
