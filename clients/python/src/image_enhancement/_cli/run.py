"""Work for several files at once that an interrupt ends, each call by itself."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Callable, Iterator, List, Sequence, Set, TypeVar

from .._limits.cancellation import Cancellation, cancellable

T = TypeVar("T")

_LOOK_SECONDS = 0.2
"""Waiting for a thread without an end cannot be interrupted on Windows."""


def run_each(files: Sequence[T], work: Callable[[T], None], concurrency: int) -> None:
    """Does the work for every file. An exception, an interrupt too, ends all of it and is then raised.

    Whatever was under way is cancelled before; ``work`` is left by ``Cancelled`` then.
    """
    cancellations = [Cancellation() for _ in files]

    def one(file: T, cancellation: Cancellation) -> None:
        with cancellable(cancellation):
            work(file)

    futures: List["Future[None]"] = []
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        try:
            for file, cancellation in zip(files, cancellations):
                futures.append(pool.submit(one, file, cancellation))
            waiting: Set["Future[None]"] = set(futures)
            while waiting:
                done, waiting = wait(waiting, _LOOK_SECONDS, FIRST_EXCEPTION)
                for future in done:
                    future.result()
        except BaseException:
            _let_signals_kill()
            for future in futures:
                future.cancel()
            for cancellation in cancellations:
                cancellation.cancel()
            raise


@contextmanager
def interruptible() -> Iterator[None]:
    """Makes SIGTERM an interrupt as Ctrl-C is: what is under way is canceled."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(each, signal.getsignal(each)) for each in (signal.SIGINT, signal.SIGTERM)]
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        for each, handler in before:
            signal.signal(each, handler)


def silence_output() -> None:
    """Whoever reads has stopped early, as head does: what Python still holds back must go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _let_signals_kill() -> None:
    """The second time means it: the process ends at once."""
    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
