"""Requests that a function of the caller sends."""

from __future__ import annotations

import http.client
import io
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Tuple, Union, cast

from .._limits import cancellation as _cancellation
from ..errors import ConnectionFailedError, ImageEnhancementError


@dataclass(frozen=True)
class HttpRequest:
    """One attempt at a request."""

    method: str
    url: str
    """The full URL, with its query."""
    headers: Mapping[str, str] = field(repr=False)
    """Include the API key if the request needs one."""
    body: Union[bytes, Iterable[bytes], None] = field(repr=False)
    timeout: float
    """Seconds left for the response and its body."""


@dataclass(frozen=True)
class HttpResponse:
    """A response. A body in parts is read as it arrives; its ``close`` is called at the end, if it has one."""

    status: int
    headers: Mapping[str, str]
    body: Union[bytes, Iterable[bytes]] = b""


HttpTransport = Callable[[HttpRequest], HttpResponse]
"""Sends a request once, without following redirects. Any exception counts as a broken connection."""


def exchange(
    transport: HttpTransport, request: HttpRequest
) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    """One attempt. The response is read like one of http.client. Raises ConnectionFailedError."""
    with reported(request.url):
        response = transport(request)
    _cancellation.check()
    # Never connected, so there is no socket for a timeout.
    connection = http.client.HTTPConnection("injected")
    return connection, cast(http.client.HTTPResponse, _Response(request.url, response))


class reported:
    """Reports every failure of the caller's transport as a broken connection."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Optional[BaseException], trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, ImageEnhancementError):
            text = str(error) or type(error).__name__
            raise ConnectionFailedError(f"{self._url} cannot be reached, or the connection broke: {text}") from error


class _Response:
    """The parts of ``http.client.HTTPResponse`` that the library uses."""

    length: Optional[int] = None
    """Unknown: the transport checks whether the body is complete."""

    def __init__(self, url: str, response: HttpResponse) -> None:
        self.status = response.status
        self.headers = http.client.HTTPMessage()
        for name, value in response.headers.items():
            self.headers[name] = value
        self._body = response.body
        parts = (self._body,) if isinstance(self._body, bytes) else self._body
        self._reader = io.BufferedReader(_Parts(url, iter(parts)))

    def read1(self, size: int) -> bytes:
        return self._reader.read1(size)

    def readline(self) -> bytes:
        return self._reader.readline()

    def isclosed(self) -> bool:
        return self._reader.closed

    def close(self) -> None:
        self._reader.close()
        close = getattr(self._body, "close", None)
        if close is not None:
            close()


class _Parts(io.RawIOBase):
    """The parts of a body as a stream."""

    def __init__(self, url: str, parts: Iterator[bytes]) -> None:
        self._url = url
        self._parts = parts
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with reported(self._url):
            while not self._left:
                part = next(self._parts, None)
                if part is None:
                    return 0
                self._left = bytes(part)
        taken, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)
