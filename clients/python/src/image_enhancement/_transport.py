"""Speaks HTTP: where to, with what key, how often again."""

from __future__ import annotations

import functools
import hashlib
import http.client
import json
import os
import re
import socket
import ssl
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, TypeVar, Union
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from . import _cancellation, _deadline
from ._answers import Answer, error_of
from ._bodies import DeadlinePassed, chunks_of, lines_of
from ._connections import Connections, connect
from ._retry import RetryBudget
from ._unheard import Unheard
from ._version import __version__
from .errors import ConnectionFailedError, ImageEnhancementError, RateLimitError, WaitTimeoutError
from .models import format_time

T = TypeVar("T")
QueryValue = Union[str, int, datetime, None]

NULL = object()
"""A field of a body that is to be null, and not left out."""

_HEADER_TEXT = re.compile(r"[\x21-\x7e]+")
_LONGEST_IDEMPOTENCY_KEY = 255
_UPLOAD_SUFFIX = "-upload"
_CONNECT_SECONDS = 10.0
"""For a connection to come about; where nobody answers at all, another attempt may meet another address."""


@dataclass(frozen=True)
class Settings:
    """How a client behaves; see ``Client``."""

    api_key: str = field(repr=False)
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
    unheard: Optional[Unheard] = None


def settings_from(api_key: Optional[str], base_url: Optional[str], **rest: Any) -> Settings:
    """Fills in what the environment says. Raises ImageEnhancementError when there is no key or a wrong address."""
    # Read from a file, it ends with the line.
    key = (api_key or os.environ.get("IMAGE_ENHANCEMENT_API_KEY") or "").strip()
    if not key:
        raise ImageEnhancementError(
            "missing_api_key",
            "Give the key of your account: Client(api_key=…), or set IMAGE_ENHANCEMENT_API_KEY.",
        )
    if _HEADER_TEXT.fullmatch(key) is None:
        raise ImageEnhancementError("invalid_api_key", "The API key has characters that no key has.")
    url = (base_url or os.environ.get("IMAGE_ENHANCEMENT_URL") or "http://localhost:3000").strip()
    parts = _parts_of(url)
    if parts is None:
        raise ImageEnhancementError(
            "invalid_base_url", f'"{url}" is not an address that begins with http:// or https://.'
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ImageEnhancementError(
            "invalid_base_url",
            "The address of the service is host and path alone, without a name, a \"?\" or a \"#\".",
        )
    return Settings(api_key=key, base_url=url.rstrip("/"), **rest)


def _parts_of(url: str) -> Optional[SplitResult]:
    """The parts of an address that requests can be sent to, else None."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            return None
        parts.hostname.encode("idna")
    except ValueError:
        return None
    # What urlsplit takes out of an address without a word, and what no request line can hold.
    is_text = _HEADER_TEXT.fullmatch(url.replace(parts.netloc, "")) is not None
    return parts if is_text and not re.search(r"[\s\x00-\x1f\x7f]", url) else None


def json_request(
    method: str, path: str, body: Mapping[str, Any], idempotency_key: Optional[str] = None, **rest: Any
) -> Request:
    """A request with a JSON body; fields that are None are left out, those that are NULL sent as null."""
    given = {name: None if value is NULL else value for name, value in body.items() if value is not None}
    headers = {"content-type": "application/json"}
    if idempotency_key is not None:
        headers["idempotency-key"] = idempotency_key
    rest.setdefault("is_repeatable", method != "POST" or idempotency_key is not None)
    return Request(method, path, headers=headers, body=json.dumps(given).encode(), **rest)


def new_idempotency_key() -> str:
    """Made once for each call: its repetitions then create nothing twice."""
    return str(uuid.uuid4())


def upload_key_of(key: str) -> str:
    """The key of the upload that belongs to a call: another one than the job's, always the same for the same call."""
    if len(key) > _LONGEST_IDEMPOTENCY_KEY - len(_UPLOAD_SUFFIX):
        key = hashlib.sha256(key.encode()).hexdigest()
    return f"{key}{_UPLOAD_SUFFIX}"


def check_idempotency_key(key: Optional[str]) -> None:
    """Raises ImageEnhancementError for one that the service would not take, or that no header can hold."""
    if key is None or (_HEADER_TEXT.fullmatch(key) is not None and len(key) <= _LONGEST_IDEMPOTENCY_KEY):
        return
    raise ImageEnhancementError(
        "invalid_idempotency_key",
        f"An idempotency key has 1 to {_LONGEST_IDEMPOTENCY_KEY} printable ASCII characters without spaces"
        f' (a digest, for example); "{key}" is none.',
    )


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

    def read(
        self,
        request: Request,
        parse: Callable[[Any], T],
        timeout_seconds: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> T:
        """What the JSON of the answer says. An answer of something else on the way is a broken connection."""
        limit = self._limit_of(timeout_seconds)
        return self.retry(request, max_retries, lambda: self._whole(request, limit).read(parse))

    def send(
        self, request: Request, timeout_seconds: Optional[float] = None, max_retries: Optional[int] = None
    ) -> Answer:
        """Sends it, again where that is safe and may help, until there is an answer of success."""
        limit = self._limit_of(timeout_seconds)
        return self.retry(request, max_retries, lambda: self._whole(request, limit))

    def _limit_of(self, timeout_seconds: Optional[float]) -> float:
        return self.settings.timeout_seconds if timeout_seconds is None else timeout_seconds

    @contextmanager
    def lines(
        self, request: Request, quiet_seconds: float
    ) -> Iterator["tuple[http.client.HTTPResponse, Iterator[bytes]]"]:
        """Opens an answer that comes line by line, once. Raises ConnectionFailedError when it is quiet for too long."""
        try:
            with self._opened(request, _deadline.cut(quiet_seconds)) as (connection, response):
                yield response, lines_of(connection, response, quiet_seconds)
        except DeadlinePassed as error:
            raise ConnectionFailedError(f"{self.settings.base_url} has been silent for too long.") from error

    def retry(self, request: Request, max_retries: Optional[int], run: Callable[[], T]) -> T:
        """Runs attempts at a request until one succeeds, as long as that is safe and may help."""
        check_idempotency_key(request.headers.get("idempotency-key"))
        retries = self.settings.max_retries if max_retries is None else max_retries
        budget = RetryBudget(retries, self.settings.max_rate_limit_wait_seconds)
        while True:
            try:
                return run()
            except ImageEnhancementError as error:
                error.idempotency_key = request.headers.get("idempotency-key")
                if request.unheard is not None:
                    request.unheard.failed(error)
                pause = budget.pause_after(error, request.is_repeatable)
                if pause is None:
                    raise
                _consider_time(error, pause)
            _cancellation.pause(pause)

    def _whole(self, request: Request, timeout_seconds: float) -> Answer:
        with self.answer(request, timeout_seconds) as (response, chunks):
            return Answer(response.status, response.headers, b"".join(chunks))

    @contextmanager
    def answer(
        self, request: Request, timeout_seconds: float
    ) -> Iterator["tuple[http.client.HTTPResponse, Iterator[bytes]]"]:
        """One attempt: an answer of success and its body in parts, all of it before time is over."""
        limit = _deadline.cut(timeout_seconds)
        deadline = time.monotonic() + limit
        try:
            with self._opened(request, limit) as (connection, response):
                yield response, chunks_of(connection, response, deadline)
        except DeadlinePassed:
            raise WaitTimeoutError(f"{self.settings.base_url} did not answer within {limit:g} s.") from None

    @contextmanager
    def _opened(
        self, request: Request, timeout_seconds: float
    ) -> Iterator["tuple[http.client.HTTPConnection, http.client.HTTPResponse]"]:
        """One attempt. The connection is kept when the answer was read to its end, else closed."""
        if timeout_seconds <= 0:
            raise DeadlinePassed
        connection = self._connections.take(timeout_seconds)
        cancellation = _cancellation.current()
        response: Optional[http.client.HTTPResponse] = None
        is_done = False
        try:
            response = self._exchange(connection, request, cancellation)
            if not 200 <= response.status < 300:
                body = b"".join(chunks_of(connection, response, time.monotonic() + timeout_seconds))
                is_done = True
                raise error_of(response.status, response.headers, body)
            yield connection, response
            is_done = True
        except (OSError, http.client.HTTPException) as error:
            if cancellation is not None and cancellation.is_cancelled:
                raise _cancellation.Cancelled from None
            # Before Python 3.10 the two are not the same.
            if isinstance(error, (TimeoutError, socket.timeout)):
                raise DeadlinePassed from error
            raise ConnectionFailedError(
                f"{self.settings.base_url} cannot be reached, or the connection broke: {error or type(error).__name__}"
            ) from error
        finally:
            is_cut = cancellation is not None and cancellation.detach()
            if is_done and not is_cut and connection.sock is not None and response is not None and response.isclosed():
                self._connections.give_back(connection)
            else:
                connection.close()
                # One that ends with its connection has left it, and holds the socket by itself.
                if response is not None:
                    response.close()

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        request: Request,
        cancellation: Optional[_cancellation.Cancellation],
    ) -> http.client.HTTPResponse:
        if connection.sock is None:
            self._connect(connection)
        if cancellation is not None:
            cancellation.attach(connection.sock)
        # Not before: what never had a connection has done nothing.
        if request.unheard is not None:
            request.unheard.sent()
        target = self._connections.target(self._path(request))
        connection.request(request.method, target, body=request.body, headers=self._headers(request))
        return connection.getresponse()

    def _connect(self, connection: http.client.HTTPConnection) -> None:
        limit = connection.timeout
        cancellation = _cancellation.current()
        if cancellation is not None:
            # It tells of the socket before it waits for the other side.
            setattr(connection, "_create_connection", functools.partial(connect, cancellation))
        connection.timeout = _CONNECT_SECONDS if limit is None else min(limit, _CONNECT_SECONDS)
        try:
            connection.connect()
        except (TimeoutError, socket.timeout) as error:
            if connection.timeout == limit:
                raise
            raise ConnectionFailedError(
                f"{self.settings.base_url} cannot be reached: no connection within {_CONNECT_SECONDS:g} s."
            ) from error
        connection.sock.settimeout(limit)

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


def _consider_time(error: ImageEnhancementError, pause: float) -> None:
    """Raises when the whole call will be over before the next attempt: at once, since waiting would change nothing."""
    left = _deadline.left()
    if left is None or pause < left:
        return
    if isinstance(error, (RateLimitError, WaitTimeoutError)):
        raise error
    late = WaitTimeoutError(f"There was no time to try again after: {error}")
    late.idempotency_key = error.idempotency_key
    raise late from error
