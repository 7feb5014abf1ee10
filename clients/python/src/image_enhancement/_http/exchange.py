"""One attempt at a request: a connection, the request, and the response."""

from __future__ import annotations

import functools
import http.client
import socket
import time
from contextlib import contextmanager
from datetime import datetime
from typing import Dict, Iterator, Optional, Union
from urllib.parse import urlencode, urlsplit

from .._files.sending import BodyWithProgress
from .._limits import cancellation as _cancellation
from .._models.times import format_time
from .._version import __version__
from ..errors import ConnectionFailedError
from .answers import error_of, proxy_refusal
from .bodies import DeadlinePassed, chunks_of
from .connections import Connections, connect, is_refusal_by_proxy
from .injected import HttpRequest, HttpTransport, exchange
from .request import Request
from .settings import Settings

_CONNECT_SECONDS = 10.0
"""For a connection to come about; where nobody answers at all, another attempt may meet another address."""


class Exchange:
    """Single attempts over one client's connections. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        base = urlsplit(settings.base_url)
        self._base_path = base.path.rstrip("/")
        self._connections = Connections(base, settings.ssl_context)

    def close(self) -> None:
        """Closes idle connections."""
        self._connections.close()

    @contextmanager
    def opened(
        self, request: Request, timeout_seconds: float
    ) -> Iterator["tuple[http.client.HTTPConnection, http.client.HTTPResponse]"]:
        """One attempt. The connection is kept if the response was read to its end, otherwise closed."""
        if timeout_seconds <= 0:
            raise DeadlinePassed
        if self._settings.transport is not None:
            with self._injected(self._settings.transport, request, timeout_seconds) as pair:
                yield pair
            return
        connection = self._connections.take(timeout_seconds)
        cancellation = _cancellation.current()
        response: Optional[http.client.HTTPResponse] = None
        is_done = False
        try:
            response = self._exchange(connection, request, cancellation)
            if not 200 <= response.status < 300:
                body = b"".join(chunks_of(connection, response, time.monotonic() + timeout_seconds))
                is_done = True
                raise error_of(self._settings.base_url, response.status, response.headers, body)
            yield connection, response
            is_done = True
        except (OSError, http.client.HTTPException) as error:
            if cancellation is not None and cancellation.is_cancelled:
                raise _cancellation.Cancelled from None
            # Before Python 3.10, these two exceptions are not the same.
            if isinstance(error, (TimeoutError, socket.timeout)):
                raise DeadlinePassed from error
            raise ConnectionFailedError(
                f"{self._settings.base_url} cannot be reached, or the connection broke: {error or type(error).__name__}"
            ) from error
        finally:
            is_cut = cancellation is not None and cancellation.detach()
            if is_done and not is_cut and connection.sock is not None and response is not None and response.isclosed():
                self._connections.give_back(connection)
            else:
                connection.close()
                # A response that ends with its connection holds the socket itself.
                if response is not None:
                    response.close()

    @contextmanager
    def _injected(
        self, transport: HttpTransport, request: Request, timeout_seconds: float
    ) -> Iterator["tuple[http.client.HTTPConnection, http.client.HTTPResponse]"]:
        """One attempt with the caller's transport."""
        _cancellation.check()
        request.unheard.sent()
        origin = self._settings.base_url[: -len(self._base_path)] if self._base_path else self._settings.base_url
        headers, body = self._sent(request)
        connection, response = exchange(
            transport,
            HttpRequest(request.method, f"{origin}{self._path(request)}", headers, body, timeout_seconds),
        )
        try:
            if not 200 <= response.status < 300:
                chunks = chunks_of(connection, response, time.monotonic() + timeout_seconds)
                raise error_of(self._settings.base_url, response.status, response.headers, b"".join(chunks))
            yield connection, response
        finally:
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
        # Not earlier: without a connection, the request has done nothing.
        request.unheard.sent()
        target = self._connections.target(self._path(request))
        headers, body = self._sent(request)
        connection.request(
            request.method, target, body=body, headers={**self._connections.proxy_headers, **headers}
        )
        return connection.getresponse()

    def _connect(self, connection: http.client.HTTPConnection) -> None:
        limit = connection.timeout
        cancellation = _cancellation.current()
        if cancellation is not None:
            # The socket is registered before waiting for the server.
            setattr(connection, "_create_connection", functools.partial(connect, cancellation))
        connection.timeout = _CONNECT_SECONDS if limit is None else min(limit, _CONNECT_SECONDS)
        try:
            connection.connect()
        except (TimeoutError, socket.timeout) as error:
            if connection.timeout == limit:
                raise
            raise ConnectionFailedError(
                f"{self._settings.base_url} cannot be reached: no connection within {_CONNECT_SECONDS:g} s."
            ) from error
        except OSError as error:
            if is_refusal_by_proxy(error):
                raise proxy_refusal() from error
            raise
        connection.sock.settimeout(limit)

    def _sent(self, request: Request) -> "tuple[Dict[str, str], Union[bytes, BodyWithProgress, None]]":
        """The headers and the body, which reports its progress if there is a callback."""
        headers = self._headers(request)
        if request.body is None or request.on_sent is None:
            return headers, request.body
        headers["content-length"] = str(len(request.body))
        return headers, BodyWithProgress(request.body, request.on_sent)

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
            headers["x-api-key"] = self._settings.api_key
            headers.update(self._settings.headers)
        headers.update(request.headers)
        return headers
