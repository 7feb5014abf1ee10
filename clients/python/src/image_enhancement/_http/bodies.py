"""Bodies of answers as they come."""

from __future__ import annotations

import http.client
import time
from typing import Iterator

from .._limits import cancellation as _cancellation, deadline as _deadline
from ..errors import WaitTimeoutError

_CHUNK_BYTES = 64 * 1024


class DeadlinePassed(WaitTimeoutError):
    """The time of one request is over."""

    def __init__(self) -> None:
        super().__init__("The service did not answer in time.")


def chunks_of(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse, deadline: float
) -> Iterator[bytes]:
    """The whole body, before the deadline however slowly it comes."""
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
    # http.client takes a body that ends early for a whole one when it is read in parts.
    missing = response.length
    if missing:
        raise http.client.IncompleteRead(b"", missing)
    # Before Python 3.12 it does not notice the end by itself, and its connection could not be kept.
    if missing == 0:
        response.close()


def lines_of(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse, quiet_seconds: float
) -> Iterator[bytes]:
    """Lines as they come; a line is a sign of life, but no reason to go on when the whole call is over."""
    while True:
        limit = _deadline.cut(quiet_seconds)
        if limit <= 0:
            raise DeadlinePassed
        if connection.sock is not None:
            connection.sock.settimeout(limit)
        line = response.readline()
        _cancellation.check()
        if not line:
            return
        yield line
