"""The real service that the tests run against; who starts the tests starts it and says where it is.

STAGE_URL: the service. STAGE_PROXY_URL: the same through a proxy that can be cut; STAGE_SWALLOW_URL: through one that
swallows answers to the creation of jobs. STAGE_CONTROL_URL: asks whoever started it for what only they can do (kill and
start the service, cut the proxy, make accounts).
"""

from __future__ import annotations

import base64
import http.client
import itertools
import json
import os
import socket
import struct
import time
import urllib.request
import zlib
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, TypeVar
from unittest import mock
from urllib.parse import urlsplit

from image_enhancement import Client

T = TypeVar("T")

URL = os.environ.get("STAGE_URL", "")
PROXY_URL = os.environ.get("STAGE_PROXY_URL", "")
SWALLOW_URL = os.environ.get("STAGE_SWALLOW_URL", "")
_LONGEST_WAIT_SECONDS = 120
"""Far more than anything here needs on an idle machine."""


def control(command: str, **arguments: Any) -> Dict[str, Any]:
    """Does something to the service."""
    request = urllib.request.Request(
        f"{os.environ['STAGE_CONTROL_URL']}/{command}",
        data=json.dumps(arguments).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        result: Dict[str, Any] = json.load(answer)
        return result


def new_key(**limits: int) -> str:
    """A key of a new account with room for everything that is not limited here."""
    return str(control("account", **limits)["key"])


def new_client(key: Optional[str] = None, *, url: str = URL, **options: Any) -> Client:
    """A client of the service, of a new account unless a key is given."""
    return Client(key or new_key(), url, **options)


@contextmanager
def after_each_request(act: Callable[[int], object]) -> Iterator[List[Exception]]:
    """Calls ``act`` with the number of each request of a client, between sending it and reading its response.

    Gives the errors of requests whose responses were lost.
    """
    read = http.client.HTTPConnection.getresponse
    control_port = urlsplit(os.environ["STAGE_CONTROL_URL"]).port
    numbers = itertools.count(1)
    lost: List[Exception] = []

    def getresponse(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
        if connection.port == control_port:
            return read(connection)
        act(next(numbers))
        try:
            return read(connection)
        except (OSError, http.client.HTTPException) as error:
            lost.append(error)
            raise

    with mock.patch.object(http.client.HTTPConnection, "getresponse", getresponse):
        yield lost


def until(what: str, found: Callable[[], T]) -> T:
    """Waits for a condition, and returns its first true value. ``what`` ends the sentence "waited … for"."""
    deadline = time.monotonic() + _LONGEST_WAIT_SECONDS
    while time.monotonic() < deadline:
        value = found()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited {_LONGEST_WAIT_SECONDS} s for {what}")


def free_port() -> int:
    """A port of this machine on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def portrait() -> bytes:
    """A photo of a person, 128 × 128: what a background can be taken from."""
    return base64.b64decode(control("portrait")["base64"])


def png(width: int, height: int, seed: int = 1) -> bytes:
    """A picture that nothing but the standard library draws: colored squares, each seed others."""
    rows = []
    for y in range(height):
        row = bytearray(b"\0")
        for x in range(width):
            cell = (x // 8 * 7 + y // 8 * 13 + seed * 29) % 256
            row += bytes((cell, (cell * 3) % 256, 255 - cell))
        rows.append(bytes(row))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(rows))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def size_of_png(data: bytes) -> "tuple[int, int]":
    """Width and height that a PNG's header tells."""
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def padded(data: bytes, size: int) -> bytes:
    """The PNG with a text chunk that makes it ``size`` bytes long."""
    end = data[-12:]
    filler = b"Comment\0" + b"x" * (size - len(data) - 12 - 8)
    return data[:-12] + _chunk(b"tEXt", filler) + end


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
