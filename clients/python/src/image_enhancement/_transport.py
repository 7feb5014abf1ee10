"""Speaks HTTP: where to, with what key, how often again."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, TypeVar, Union
from urllib.parse import quote, urlencode, urlsplit

from . import _cancellation
from ._answers import Answer, error_of
from ._connections import Connections
from ._retry import RetryBudget
from ._version import __version__
from .errors import ConnectionFailedError, ImageEnhancementError, WaitTimeoutError
from .models import format_time

T = TypeVar("T")
QueryValue = Union[str, int, datetime, None]

_CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True)
class Settings:
    """How a client behaves; see ``Client``."""

    api_key: str
    base_url: str
    timeout_seconds: float = 60.0
    max_retries: int = 4
    max_rate_limit_wait_seconds: float = 120.0
    ssl_context: Optional[ssl.SSLContext] = None


@dataclass(frozen=True)
class Request:
    """One request; ``path`` below the base address."""

    method: str
    path: str
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Optional[bytes] = None
    is_repeatable: bool = True
    with_key: bool = True


def settings_from(api_key: Optional[str], base_url: Optional[str], **rest: Any) -> Settings:
    """Fills in what the environment says. Raises ImageEnhancementError when there is no key or a wrong address."""
    key = api_key or os.environ.get("IMAGE_ENHANCEMENT_API_KEY")
    if not key:
        raise ImageEnhancementError(
            "missing_api_key",
            "Give the key of your account: Client(api_key=…), or set IMAGE_ENHANCEMENT_API_KEY.",
        )
    url = base_url or os.environ.get("IMAGE_ENHANCEMENT_URL") or "http://localhost:3000"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ImageEnhancementError(
            "invalid_base_url", f'"{url}" is not an address that begins with http:// or https://.'
        )
    return Settings(api_key=key, base_url=url.rstrip("/"), **rest)


def json_request(
    method: str, path: str, body: Mapping[str, Any], idempotency_key: Optional[str] = None, **rest: Any
) -> Request:
    """A request with a JSON body; fields that are None are left out."""
    given = {name: value for name, value in body.items() if value is not None}
    headers = {"content-type": "application/json"}
    if idempotency_key is not None:
        headers["idempotency-key"] = idempotency_key
    rest.setdefault("is_repeatable", method != "POST" or idempotency_key is not None)
    return Request(method, path, headers=headers, body=json.dumps(given).encode(), **rest)


def new_idempotency_key() -> str:
    """Made once for each call: its repetitions then create nothing twice."""
    return str(uuid.uuid4())


def segment(text: str) -> str:
    """A part of a path."""
    return quote(text, safe="")


class Transport:
    """One client's way to the service. For any number of threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        base = urlsplit(settings.base_url)
        self._base_path = base.path.rstrip("/")
        self._connections = Connections(base, settings.ssl_context)

    def close(self) -> None:
        """Closes idle connections."""
        self._connections.close()

    def json(self, request: Request, timeout_seconds: Optional[float] = None) -> Any:
        """The JSON of the answer."""
        return self.send(request, timeout_seconds).json()

    def send(
        self, request: Request, timeout_seconds: Optional[float] = None, max_retries: Optional[int] = None
    ) -> Answer:
        """Sends it, again where that is safe and may help, until there is an answer of success."""
        limit = self.settings.timeout_seconds if timeout_seconds is None else timeout_seconds
        return self._retry(request, max_retries, lambda: self._whole(request, limit))

    @contextmanager
    def stream(self, request: Request, quiet_seconds: float) -> Iterator[http.client.HTTPResponse]:
        """Opens an answer that comes bit by bit, once. Raises ConnectionFailedError when it is quiet for too long."""
        try:
            with self._opened(request, quiet_seconds) as (_, response):
                yield response
        except _DeadlinePassed as error:
            raise ConnectionFailedError(f"{self.settings.base_url} has been silent for too long.") from error

    def _retry(self, request: Request, max_retries: Optional[int], run: Callable[[], T]) -> T:
        retries = self.settings.max_retries if max_retries is None else max_retries
        budget = RetryBudget(retries, self.settings.max_rate_limit_wait_seconds)
        while True:
            try:
                return run()
            except ImageEnhancementError as error:
                pause = budget.pause_after(error, request.is_repeatable)
                if pause is None:
                    raise
            _cancellation.pause(pause)

    def _whole(self, request: Request, timeout_seconds: float) -> Answer:
        deadline = time.monotonic() + timeout_seconds
        try:
            with self._opened(request, timeout_seconds) as (connection, response):
                body = _read(connection, response, deadline)
                return Answer(response.status, response.headers, body)
        except _DeadlinePassed:
            raise WaitTimeoutError(
                f"{self.settings.base_url} did not answer within {timeout_seconds:g} s."
            ) from None

    @contextmanager
    def _opened(
        self, request: Request, timeout_seconds: float
    ) -> Iterator["tuple[http.client.HTTPConnection, http.client.HTTPResponse]"]:
        """One attempt. The connection is kept when the answer was read to its end, else closed."""
        connection = self._connections.take(timeout_seconds)
        cancellation = _cancellation.current()
        is_done = False
        try:
            response = self._exchange(connection, request, cancellation)
            if not 200 <= response.status < 300:
                body = _read(connection, response, time.monotonic() + timeout_seconds)
                is_done = True
                raise error_of(response.status, response.headers, body)
            yield connection, response
            is_done = True
        except (OSError, http.client.HTTPException) as error:
            if cancellation is not None and cancellation.is_cancelled:
                raise _cancellation.Cancelled from None
            # Before Python 3.10 the two are not the same.
            if isinstance(error, (TimeoutError, socket.timeout)):
                raise _DeadlinePassed from error
            raise ConnectionFailedError(
                f"{self.settings.base_url} cannot be reached, or the connection broke: {error or type(error).__name__}"
            ) from error
        finally:
            if cancellation is not None and not cancellation.is_cancelled:
                cancellation.attach(None)
            if is_done and connection.sock is not None and response.isclosed():
                self._connections.give_back(connection)
            else:
                connection.close()

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        request: Request,
        cancellation: Optional[_cancellation.Cancellation],
    ) -> http.client.HTTPResponse:
        if connection.sock is None:
            connection.connect()
        if cancellation is not None:
            cancellation.attach(connection.sock)
        target = self._connections.target(self._path(request))
        connection.request(request.method, target, body=request.body, headers=self._headers(request))
        return connection.getresponse()

    def _path(self, request: Request) -> str:
        query = {
            name: format_time(value) if isinstance(value, datetime) else value
            for name, value in request.query.items()
            if value is not None
        }
        path = f"{self._base_path}{request.path}"
        return f"{path}?{urlencode(query)}" if query else path

    def _headers(self, request: Request) -> Dict[str, str]:
        headers = {
            "accept": "application/json",
            "user-agent": f"image-enhancement-client-python/{__version__}",
        }
        if request.with_key:
            headers["x-api-key"] = self.settings.api_key
        headers.update(request.headers)
        return headers


class _DeadlinePassed(WaitTimeoutError):
    """The time of one request is over."""

    def __init__(self) -> None:
        super().__init__("The service did not answer in time.")


def _read(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse, deadline: float
) -> bytes:
    """The whole body, before the deadline however slowly it comes."""
    chunks = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise _DeadlinePassed
        if connection.sock is not None:
            connection.sock.settimeout(left)
        chunk = response.read1(_CHUNK_BYTES)
        if not chunk:
            break
        chunks.append(chunk)
    # http.client takes a body that ends early for a whole one when it is read in parts.
    missing = response.length
    if missing:
        raise http.client.IncompleteRead(b"".join(chunks), missing)
    return b"".join(chunks)
