"""Ends the work of a thread from outside. The async client uses this when its task is cancelled."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Callable, Iterator, Optional


class Cancelled(BaseException):
    """Unwinds the thread of a cancelled call. Never reaches a caller."""


class Cancellation:
    """One call that can be cancelled: its pause ends, and its connection is closed. Each call needs its own.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None

    @property
    def is_cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Cancels the call, from any thread."""
        with self._lock:
            self._event.set()
            _cut(self._socket)

    def pause(self, seconds: float) -> None:
        """Sleeps. Raises Cancelled when it was cancelled."""
        if self._event.wait(seconds):
            raise Cancelled

    def wait_for(self, event: threading.Event, seconds: float) -> bool:
        """Whether the event is set within this time. Raises Cancelled when the call was cancelled."""
        if not event.wait(seconds) and self.is_cancelled:
            raise Cancelled
        return event.is_set()

    def attach(self, connection: Optional[socket.socket]) -> None:
        """Sets the connection that the call waits for. Raises Cancelled when the call was cancelled."""
        with self._lock:
            self._socket = connection
            if not self._event.is_set():
                return
            _cut(connection)
        raise Cancelled

    def detach(self) -> bool:
        """The call no longer waits for a connection. Returns whether the last one may have been closed."""
        with self._lock:
            self._socket = None
            return self._event.is_set()


def _cut(connection: Optional[socket.socket]) -> None:
    if connection is None:
        return
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


_current: ContextVar[Optional[Cancellation]] = ContextVar("cancellation", default=None)
_sleep: ContextVar[Callable[[float], None]] = ContextVar("sleep", default=time.sleep)


@contextmanager
def cancellable(cancellation: Cancellation) -> Iterator[None]:
    """Lets ``cancellation`` end the calls of this thread."""
    token = _current.set(cancellation)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Optional[Cancellation]:
    """The cancellation of the current call of this thread."""
    return _current.get()


def check() -> None:
    """Raises Cancelled when the current call of this thread was cancelled."""
    cancellation = current()
    if cancellation is not None and cancellation.is_cancelled:
        raise Cancelled


def pause(seconds: float) -> None:
    """Sleeps, unless the call is cancelled."""
    cancellation = current()
    if cancellation is None:
        _sleep.get()(max(0.0, seconds))
    else:
        cancellation.pause(max(0.0, seconds))


@contextmanager
def sleeping_by(sleep: Callable[[float], None]) -> Iterator[None]:
    """Makes calls sleep differently, for example by letting an event loop run."""
    token = _sleep.set(sleep)
    try:
        yield
    finally:
        _sleep.reset(token)


@contextmanager
def without_cancellation() -> Iterator[None]:
    """Lets a cancelled call send a final request."""
    token = _current.set(None)
    try:
        yield
    finally:
        _current.reset(token)


def hand_over(last_word: Optional[BaseException], interrupt: BaseException) -> None:
    """When a job could not be canceled, tells the caller how to find it."""
    for name in ("job_id", "idempotency_key"):
        if isinstance(last_word, Cancelled) and hasattr(last_word, name):
            setattr(interrupt, name, getattr(last_word, name))
