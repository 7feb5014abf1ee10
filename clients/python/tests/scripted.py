"""A server that answers what a test says, for what no healthy service does."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, List, Mapping, Optional, Type
from types import TracebackType

import image_enhancement as ie

Reply = Callable[[BaseHTTPRequestHandler], None]


def problem(status: int, code: str, **headers: str) -> Reply:
    """A problem document of the service."""
    return _json(status, {"status": status, "code": code, "detail": code, "errors": []}, headers)


def good(body: Any, **headers: str) -> Reply:
    """A successful response."""
    return _json(200, body, headers)


def cut(request: BaseHTTPRequestHandler) -> None:
    """No answer: the connection breaks."""
    request.close_connection = True


def _json(status: int, body: Any, headers: Mapping[str, str]) -> Reply:
    def reply(request: BaseHTTPRequestHandler) -> None:
        data = json.dumps(body).encode()
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("content-length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    return reply


class Scripted:
    """Answers with each reply in turn, and then always with the last."""

    def __init__(self, *replies: Reply) -> None:
        self.seen: List[str] = []
        self.idempotency_keys: List[Optional[str]] = []
        self.bodies: List[bytes] = []
        self.headers: List[Mapping[str, str]] = []
        self._clients: List[ie.Client] = []
        waiting = list(replies)
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                scripted.bodies.append(self.rfile.read(int(self.headers.get("content-length", 0))))
                scripted.seen.append(f"{self.command} {self.path}")
                scripted.headers.append({name.lower(): value for name, value in self.headers.items()})
                scripted.idempotency_keys.append(self.headers.get("idempotency-key"))
                reply = waiting.pop(0) if len(waiting) > 1 else waiting[0]
                try:
                    reply(self)
                except OSError:
                    self.close_connection = True

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_CONNECT = _answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """Clients that go away are what some tests are about."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def client(self, **options: Any) -> ie.Client:
        client = ie.Client("ies_x", self.url, **options)
        self._clients.append(client)
        return client

    def __enter__(self) -> "Scripted":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        for client in self._clients:
            client.close()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
