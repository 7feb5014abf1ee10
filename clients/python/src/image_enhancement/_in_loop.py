"""Calls of the plain client in the event loop, without threads.

Each call is a greenlet. Where the plain client would wait for the network or sleep, the greenlet hands an awaitable to
the event loop and continues with its result. Needs the package ``greenlet``.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Any, Awaitable, Callable, Optional, TypeVar, cast

from greenlet import getcurrent, greenlet

from ._limits.cancellation import Cancellation, Cancelled, cancellable, hand_over, sleeping_by

T = TypeVar("T")


def wait_for(awaitable: Awaitable[T]) -> T:
    """The result of the awaitable. Only within a call of ``LoopRunner``. Raises Cancelled when the task is cancelled."""
    return cast(T, getcurrent().parent.switch(awaitable))


def _sleep(seconds: float) -> None:
    wait_for(asyncio.sleep(seconds))


class _LoopCancellation(Cancellation):
    """The cancellation of a call in the event loop, which takes effect at the next wait."""

    def pause(self, seconds: float) -> None:
        if self.is_cancelled:
            raise Cancelled
        _sleep(seconds)

    def wait_for(self, event: threading.Event, seconds: float) -> bool:
        if not event.is_set():
            self.pause(seconds)
        return event.is_set()


class LoopRunner:
    """Runs calls of the plain client in the event loop."""

    async def run(self, work: Callable[[], T]) -> T:
        """Returns the result of the work. When the task is cancelled, the work ends at its next wait."""
        cancellation = _LoopCancellation()

        def call() -> T:
            with cancellable(cancellation), sleeping_by(_sleep):
                return work()

        child = greenlet(call)
        # The context of the task passes ``with_response`` to the greenlet.
        child.gr_context = contextvars.copy_context()
        interrupt: Optional[asyncio.CancelledError] = None
        try:
            given: Any = child.switch()
            while not child.dead:
                try:
                    value = await given
                except asyncio.CancelledError as error:
                    interrupt = interrupt or error
                    cancellation.cancel()
                    given = child.throw(Cancelled())
                except BaseException as error:
                    given = child.throw(error)
                else:
                    given = child.switch(value)
        except BaseException as last_word:
            if interrupt is None:
                raise
            hand_over(last_word, interrupt)
        if interrupt is not None:
            raise interrupt
        return cast(T, given)

    def close(self) -> None:
        """Does nothing: there are no threads."""
