"""Runs work for several files concurrently. An interrupt ends each call separately."""

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
    """Runs the work for every file. An exception, including an interrupt, ends all of it and is then raised.

    Work in progress is cancelled first, which raises ``Cancelled`` in ``work``.
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
    """Treats SIGTERM as an interrupt, like Ctrl-C: jobs in progress are canceled."""
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
    """The reader of the output has stopped early, like head. Python must discard its buffered output."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _let_signals_kill() -> None:
    """A second signal ends the process immediately."""
    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
