"""Calls of the plain client as coroutines. Each runs on a thread, and ends when its task is cancelled."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Coroutine, Generic, List, Optional, Protocol, TypeVar, cast

from ._http.lists import Paged
from ._limits.cancellation import Cancellation, Cancelled, cancellable, hand_over
from ._models.page import Page

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

S = TypeVar("S")
T = TypeVar("T")

_MAX_CALLS = 128
_LAST_WORD_SECONDS = 15.0
"""For a thread to say its last word: five seconds, and a name look-up or a handshake that nothing cuts."""


class Runs(Protocol):
    """Runs calls of the plain client without blocking the event loop."""

    async def run(self, work: Callable[[], T]) -> T:
        """Returns the result of the work. When the task is cancelled, so is the work."""

    def close(self) -> None:
        """Releases its threads, if it has any."""


class Runner:
    """Runs calls of the plain client on threads."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=_MAX_CALLS, thread_name_prefix="image-enhancement")

    async def run(self, work: Callable[[], T]) -> T:
        """Returns the result of the work. When the task is cancelled, so is the work."""
        cancellation = Cancellation()

        def on_thread() -> T:
            with cancellable(cancellation):
                return work()

        # The context of the task passes ``with_response`` to the thread.
        context = contextvars.copy_context()
        work_item = self._executor.submit(lambda: context.run(on_thread))
        future = asyncio.wrap_future(work_item)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError as interrupt:
            # Work that still waits for a thread has sent nothing.
            if not work_item.cancel():
                cancellation.cancel()
                # The thread performs its cleanup, such as canceling a job, and is then free again.
                await asyncio.wait([future], timeout=_LAST_WORD_SECONDS)
                if not future.done():
                    # Nobody awaits this future anymore, and its error must not be reported.
                    future.cancel()
                elif not future.cancelled():
                    hand_over(future.exception(), interrupt)
            raise
        except Cancelled:
            raise asyncio.CancelledError from None

    def close(self) -> None:
        """Ends the threads when their work has ended."""
        self._executor.shutdown(wait=False)


def awaited(
    method: "Callable[Concatenate[S, P], T]",
) -> "Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]":
    """A method of the plain client as a coroutine."""

    @functools.wraps(method)
    async def call(self: Any, *args: Any, **options: Any) -> T:
        for name in ("on_progress", "on_upload"):
            if options.get(name) is not None:
                options[name] = _in_loop(options[name])
        work: Callable[[], T] = functools.partial(method, self._plain, *args, **options)
        return cast(T, await self._runner.run(work))

    # The wrapper takes the method's arguments. Python 3.9 cannot express its type.
    return call  # type: ignore[return-value]


def _in_loop(callback: Callable[[Any], None]) -> Callable[[Any], None]:
    """Calls progress callbacks in the event loop, not on the working thread."""
    loop = asyncio.get_running_loop()

    def tell(state: Any) -> None:
        loop.call_soon_threadsafe(callback, state)

    return tell


class AsyncPaged(Generic[T]):
    """A list of the service: ``async for`` iterates over all items, page by page."""

    def __init__(self, runner: Runs, plain: Paged[T]) -> None:
        self._runner = runner
        self._plain = plain

    async def page(self, cursor: Optional[str] = None) -> Page[T]:
        """The page at a cursor; default: the first."""
        return await self._runner.run(lambda: self._plain.page(cursor))

    async def __aiter__(self) -> AsyncIterator[T]:
        page = await self.page()
        while True:
            for item in page.data:
                yield item
            if page.next_cursor is None:
                return
            page = await self.page(page.next_cursor)

    async def all(self) -> List[T]:
        """All items in one list."""
        return [item async for item in self]


def listed(
    method: "Callable[Concatenate[S, P], Paged[T]]",
) -> "Callable[Concatenate[Any, P], AsyncPaged[T]]":
    """A list of the plain client for ``async for``."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **options: Any) -> AsyncPaged[T]:
        return AsyncPaged(self._runner, method(self._plain, *args, **options))

    # The wrapper takes the method's arguments. Python 3.9 cannot express its type.
    return call  # type: ignore[return-value]


class Part(Generic[S]):
    """A part of the client."""

    def __init__(self, runner: Runs, plain: S) -> None:
        self._runner = runner
        self._plain = plain
