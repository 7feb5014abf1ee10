"""Response bodies as they arrive."""

from __future__ import annotations

import http.client
import time
from typing import Iterator

from .._limits import cancellation as _cancellation, deadline as _deadline
from ..errors import WaitTimeoutError

_CHUNK_BYTES = 64 * 1024


class DeadlinePassed(WaitTimeoutError):
    """The time limit of one request has passed."""

    def __init__(self) -> None:
        super().__init__("The service did not answer in time.")


def chunks_of(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse, deadline: float
) -> Iterator[bytes]:
    """The whole body, read before the deadline, even if it arrives slowly."""
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        if connection.sock is not None:
            connection.sock.settimeout(left)
        chunk = response.read1(_CHUNK_BYTES)
        if not chunk:
            break
        yield chunk
    # When it is read in parts, http.client accepts a truncated body as complete.
    missing = response.length
    if missing:
        raise http.client.IncompleteRead(b"", missing)
    # Before Python 3.12, http.client does not notice the end, so its connection could not be kept.
    if missing == 0:
        response.close()


def lines_of(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse, quiet_seconds: float
) -> Iterator[bytes]:
    """Lines as they arrive. A line is a sign of life, but does not extend the limit of the whole call."""
    while True:
        limit = _deadline.cut(quiet_seconds)
        if limit <= 0:
            raise DeadlinePassed
        if connection.sock is not None:
            connection.sock.settimeout(limit)
        line = response.readline()
        _cancellation.check()
        if not line:
            # When it is read by lines, http.client takes a broken stream for a complete one, and the next request
            # would fail on its connection.
            connection.close()
            return
        yield line
