"""Keep-alive connections over plain http.client."""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .._limits.cancellation import Cancellation
from ..errors import ImageEnhancementError

_IDLE_SECONDS = 3.0
"""Shorter than servers keep a quiet connection: one that they have just closed would fail the next request."""


@dataclass(frozen=True)
class _Proxy:
    """A proxy from the environment."""

    host: str
    port: int
    headers: Dict[str, str] = field(repr=False)
    """Its user and password. Only the proxy itself may receive them."""


class Connections:
    """The connections of one client to one server. Thread-safe."""

    def __init__(self, base: SplitResult, ssl_context: Optional[ssl.SSLContext]) -> None:
        self._host = base.hostname or ""
        self._is_tls = base.scheme == "https"
        self._port = base.port or (443 if self._is_tls else 80)
        # Reading the system's certificates is slow, so it is done only once.
        self._context = ssl_context or (ssl.create_default_context() if self._is_tls else None)
        self._proxy = _proxy_for(base)
        self._idle: List[Tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()

    def take(self, timeout_seconds: float) -> http.client.HTTPConnection:
        """An idle connection, or a new one that is not connected yet."""
        with self._lock:
            while self._idle:
                since, connection = self._idle.pop()
                if time.monotonic() - since < _IDLE_SECONDS and connection.sock is not None:
                    connection.sock.settimeout(timeout_seconds)
                    return connection
                connection.close()
        return self._open(timeout_seconds)

    def give_back(self, connection: http.client.HTTPConnection) -> None:
        """Keeps a connection whose response was read to its end."""
        now = time.monotonic()
        with self._lock:
            # Take the oldest first. After a burst, they would otherwise stay forever, closed only by the
            # server.
            while self._idle and now - self._idle[0][0] >= _IDLE_SECONDS:
                self._idle.pop(0)[1].close()
            self._idle.append((now, connection))

    def close(self) -> None:
        """Closes idle connections."""
        with self._lock:
            for _, connection in self._idle:
                connection.close()
            self._idle.clear()

    def target(self, path: str) -> str:
        """The request target: a proxy for plain HTTP needs the full URL."""
        if self._proxy is None or self._is_tls:
            return path
        return f"http://{self._host}:{self._port}{path}"

    @property
    def proxy_headers(self) -> Dict[str, str]:
        """Headers of each request to a proxy for plain HTTP. Inside a tunnel, the service would receive them."""
        return {} if self._proxy is None or self._is_tls else self._proxy.headers

    def _open(self, timeout_seconds: float) -> http.client.HTTPConnection:
        proxy = self._proxy
        host, port = (self._host, self._port) if proxy is None else (proxy.host, proxy.port)
        if not self._is_tls:
            return http.client.HTTPConnection(host, port, timeout=timeout_seconds)
        connection = http.client.HTTPSConnection(
            host, port, timeout=timeout_seconds, context=self._context
        )
        if proxy is not None:
            connection.set_tunnel(self._host, self._port, proxy.headers)
        return connection


def connect(
    cancellation: Cancellation,
    address: Tuple[str, int],
    timeout: float,
    source_address: Optional[Tuple[str, int]] = None,
) -> socket.socket:
    """Like ``socket.create_connection``, but a cancellation also aborts the connection setup. Raises
    Cancelled.
    """
    failure = OSError(f"There is no address of {address[0]}.")
    for family, kind, protocol, _, target in socket.getaddrinfo(*address, 0, socket.SOCK_STREAM):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(timeout)
            if source_address is not None:
                connection.bind(source_address)
            cancellation.attach(connection)
            connection.connect(target)
            return connection
        except OSError as error:
            connection.close()
            failure = error
        except BaseException:
            connection.close()
            raise
    raise failure


def is_refusal_by_proxy(error: OSError) -> bool:
    """Whether a proxy wants credentials for a tunnel. http.client says so only in the text of the error."""
    return str(error).startswith("Tunnel connection failed: 407")


def _proxy_for(base: SplitResult) -> Optional[_Proxy]:
    """The proxy from the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY)."""
    address = getproxies().get(base.scheme)
    if address is None or proxy_bypass(base.hostname or ""):
        return None
    try:
        proxy = urlsplit(address if "//" in address else f"http://{address}")
        return None if proxy.hostname is None else _Proxy(proxy.hostname, proxy.port or 80, _credentials_of(proxy))
    except ValueError as error:
        name = f"{base.scheme.upper()}_PROXY"
        raise ImageEnhancementError(
            "invalid_proxy", f"The proxy that {name} names is not an address: {error}."
        ) from error


def _credentials_of(proxy: SplitResult) -> Dict[str, str]:
    if proxy.username is None:
        return {}
    credentials = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"proxy-authorization": f"Basic {base64.b64encode(credentials.encode()).decode()}"}
