"""The client for asyncio: the same calls, awaited.

Every call works on a thread of its own, so nothing but the standard library is needed and the event loop never
waits. Cancelling a task cuts its connection; a cancelled ``enhance`` cancels its job.
"""

from __future__ import annotations

import asyncio
import functools
import ssl
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Callable,
    Coroutine,
    Dict,
    Generic,
    List,
    Optional,
    Type,
    TypeVar,
    cast,
)

from ._cancellation import Cancellation, Cancelled, cancellable
from ._lists import Paged
from .client import Client
from .jobs import Jobs
from .models import Job, JobResult, JobState, Page
from .result import EnhanceResult
from .signatures import sign_test_header, verify_webhook
from .sources import Sources
from .webhooks import Deliveries, Endpoints, Webhooks

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

S = TypeVar("S")
T = TypeVar("T")

_MAX_CALLS = 128
_LAST_WORD_SECONDS = 15.0
"""For a thread to say its last word: five seconds, and a name look-up or a handshake that nothing cuts."""


class _Runner:
    """Runs calls of the plain client on threads."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=_MAX_CALLS, thread_name_prefix="image-enhancement")

    async def run(self, work: Callable[[], T]) -> T:
        cancellation = Cancellation()

        def on_thread() -> T:
            with cancellable(cancellation):
                return work()

        work_item = self._executor.submit(on_thread)
        future = asyncio.wrap_future(work_item)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError as interrupt:
            # What still waits for a thread has sent nothing.
            if not work_item.cancel():
                cancellation.cancel()
                # The thread says its last word, such as canceling a job, and is then free again.
                await asyncio.wait([future], timeout=_LAST_WORD_SECONDS)
                if not future.done():
                    # Nobody listens any more, and nobody must be told that.
                    future.cancel()
                elif not future.cancelled():
                    _hand_over(future.exception(), interrupt)
            raise
        except Cancelled:
            raise asyncio.CancelledError from None

    def close(self) -> None:
        self._executor.shutdown(wait=False)


def _hand_over(last_word: Optional[BaseException], interrupt: BaseException) -> None:
    """Where a job could not be canceled, the caller learns how to find it."""
    for name in ("job_id", "idempotency_key"):
        if isinstance(last_word, Cancelled) and hasattr(last_word, name):
            setattr(interrupt, name, getattr(last_word, name))


def _awaited(
    method: "Callable[Concatenate[S, P], T]",
) -> "Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]":
    """A method of the plain client as a coroutine."""

    @functools.wraps(method)
    async def call(self: Any, *args: Any, **options: Any) -> T:
        progress = options.get("on_progress")
        if progress is not None:
            options["on_progress"] = _in_loop(progress)
        work: Callable[[], T] = functools.partial(method, self._plain, *args, **options)
        return cast(T, await self._runner.run(work))

    # The wrapper takes what the method takes; its type cannot be said in Python 3.9.
    return call  # type: ignore[return-value]


def _in_loop(callback: Callable[[JobState], None]) -> Callable[[JobState], None]:
    """Progress is told in the event loop, not on the thread that works."""
    loop = asyncio.get_running_loop()

    def tell(state: JobState) -> None:
        loop.call_soon_threadsafe(callback, state)

    return tell


class AsyncPaged(Generic[T]):
    """A list of the service: ``async for`` goes through everything, page by page."""

    def __init__(self, runner: _Runner, plain: Paged[T]) -> None:
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
        """Everything in one list."""
        return [item async for item in self]


def _listed(
    method: "Callable[Concatenate[S, P], Paged[T]]",
) -> "Callable[Concatenate[Any, P], AsyncPaged[T]]":
    """A list of the plain client for ``async for``."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **options: Any) -> AsyncPaged[T]:
        return AsyncPaged(self._runner, method(self._plain, *args, **options))

    # The wrapper takes what the method takes; its type cannot be said in Python 3.9.
    return call  # type: ignore[return-value]


class _Part(Generic[S]):
    """A part of the client."""

    def __init__(self, runner: _Runner, plain: S) -> None:
        self._runner = runner
        self._plain = plain


class AsyncJobs(_Part[Jobs]):
    """Enhancement jobs of the account."""

    create = _awaited(Jobs.create)
    get = _awaited(Jobs.get)
    list = _listed(Jobs.list)
    wait = _awaited(Jobs.wait)
    cancel = _awaited(Jobs.cancel)
    delete = _awaited(Jobs.delete)


class AsyncSources(_Part[Sources]):
    """Uploads of the account."""

    upload = _awaited(Sources.upload)
    get = _awaited(Sources.get)
    list = _listed(Sources.list)
    delete = _awaited(Sources.delete)


class AsyncEndpoints(_Part[Endpoints]):
    """Addresses that events are sent to."""

    create = _awaited(Endpoints.create)
    get = _awaited(Endpoints.get)
    list = _listed(Endpoints.list)
    update = _awaited(Endpoints.update)
    delete = _awaited(Endpoints.delete)
    ping = _awaited(Endpoints.ping)
    rotate_secret = _awaited(Endpoints.rotate_secret)
    recover = _awaited(Endpoints.recover)


class AsyncDeliveries(_Part[Deliveries]):
    """What was sent where, with every attempt."""

    get = _awaited(Deliveries.get)
    list = _listed(Deliveries.list)
    redeliver = _awaited(Deliveries.redeliver)


class AsyncWebhooks(_Part[Webhooks]):
    """Webhooks of the account, and the checks of a receiver."""

    verify = staticmethod(verify_webhook)
    sign_test_header = staticmethod(sign_test_header)

    def __init__(self, runner: _Runner, plain: Webhooks) -> None:
        super().__init__(runner, plain)
        self.endpoints = AsyncEndpoints(runner, plain.endpoints)
        self.deliveries = AsyncDeliveries(runner, plain.deliveries)

    events = _awaited(Webhooks.events)


class AsyncResult(_Part[EnhanceResult]):
    """An enhanced image. Its bytes stay with the service until they are asked for."""

    @property
    def job(self) -> Job:
        """The completed job."""
        return self._plain.job

    @property
    def url(self) -> str:
        """Address of the image, readable without a key for 24 hours."""
        return self._plain.url

    @property
    def info(self) -> JobResult:
        """Format, size and digest."""
        return self._plain.info

    bytes = _awaited(EnhanceResult.bytes)
    save = _awaited(EnhanceResult.save)


def _with_result(
    method: "Callable[Concatenate[S, P], EnhanceResult]",
) -> "Callable[Concatenate[Any, P], Coroutine[Any, Any, AsyncResult]]":
    """A method that gives a result, as a coroutine."""
    awaited = _awaited(method)

    @functools.wraps(method)
    async def call(self: Any, *args: Any, **options: Any) -> AsyncResult:
        return AsyncResult(self._runner, await awaited(self, *args, **options))

    # The wrapper takes what the method takes; its type cannot be said in Python 3.9.
    return call  # type: ignore[return-value]


class AsyncClient(_Part[Client]):
    """As ``Client``, for asyncio."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 4,
        max_rate_limit_wait: float = 120.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        options: Dict[str, Any] = {
            "timeout": timeout,
            "max_retries": max_retries,
            "max_rate_limit_wait": max_rate_limit_wait,
            "ssl_context": ssl_context,
        }
        super().__init__(_Runner(), Client(api_key, base_url, **options))
        self.jobs = AsyncJobs(self._runner, self._plain.jobs)
        self.sources = AsyncSources(self._runner, self._plain.sources)
        self.webhooks = AsyncWebhooks(self._runner, self._plain.webhooks)

    enhance = _with_result(Client.enhance)
    upload = _awaited(Client.upload)
    result = _with_result(Client.result)
    operations = _awaited(Client.operations)
    usage = _awaited(Client.usage)

    async def close(self) -> None:
        """Closes idle connections and threads. The client cannot be used afterwards."""
        self._plain.close()
        self._runner.close()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()
