"""The client for asyncio: the same calls, awaited.

Every call runs on a thread, so only the standard library is needed and the event loop is never blocked.
``aio_httpx`` has the same client without threads. Cancelling a task closes its connection. A cancelled
``enhance`` cancels its job.
"""

from __future__ import annotations

import functools
import ssl
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Dict, Mapping, Optional, Type, TypeVar

from ._awaiting import AsyncPaged as AsyncPaged
from ._awaiting import Part, Runner, Runs, awaited, listed
from ._http.injected import HttpTransport
from ._http.settings import DEFAULT_TIMEOUT_SECONDS
from ._models.generated import Job, JobResult
from .batches import Batches
from .client import Client
from .jobs import Jobs
from .presets import Presets
from .result import EnhanceResult
from .signatures import sign_test_header, verify_webhook
from .sources import Sources
from .webhooks import CallbackSecrets, Deliveries, Endpoints, Webhooks
from .with_response import WithResponse, noted_responses, with_last

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

S = TypeVar("S")
T = TypeVar("T")


class AsyncJobs(Part[Jobs]):
    """Enhancement jobs of the account."""

    create = awaited(Jobs.create)
    dry_run = awaited(Jobs.dry_run)
    get = awaited(Jobs.get)
    list = listed(Jobs.list)
    wait = awaited(Jobs.wait)
    cancel = awaited(Jobs.cancel)
    delete = awaited(Jobs.delete)


class AsyncBatches(Part[Batches]):
    """Batches of the account."""

    create = awaited(Batches.create)
    dry_run = awaited(Batches.dry_run)
    get = awaited(Batches.get)
    list = listed(Batches.list)
    items = listed(Batches.items)
    wait = awaited(Batches.wait)
    cancel = awaited(Batches.cancel)
    retry = awaited(Batches.retry)
    save_results = awaited(Batches.save_results)


class AsyncPresets(Part[Presets]):
    """Presets of the account, and the built-in ones."""

    list = awaited(Presets.list)
    get = awaited(Presets.get)
    save = awaited(Presets.save)
    delete = awaited(Presets.delete)


class AsyncSources(Part[Sources]):
    """Uploads of the account."""

    upload = awaited(Sources.upload)
    upload_url = awaited(Sources.upload_url)
    get = awaited(Sources.get)
    list = listed(Sources.list)
    delete = awaited(Sources.delete)


class AsyncEndpoints(Part[Endpoints]):
    """Webhook endpoints: URLs that receive events."""

    create = awaited(Endpoints.create)
    get = awaited(Endpoints.get)
    list = listed(Endpoints.list)
    update = awaited(Endpoints.update)
    delete = awaited(Endpoints.delete)
    ping = awaited(Endpoints.ping)
    rotate_secret = awaited(Endpoints.rotate_secret)
    recover = awaited(Endpoints.recover)


class AsyncDeliveries(Part[Deliveries]):
    """Webhook deliveries, with all attempts."""

    get = awaited(Deliveries.get)
    list = listed(Deliveries.list)
    redeliver = awaited(Deliveries.redeliver)


class AsyncCallbackSecrets(Part[CallbackSecrets]):
    """The secret of the account that signs requests to ``callback_url``."""

    get = awaited(CallbackSecrets.get)
    rotate = awaited(CallbackSecrets.rotate)


class AsyncWebhooks(Part[Webhooks]):
    """Webhooks of the account, and functions for receivers."""

    verify = staticmethod(verify_webhook)
    sign_test_header = staticmethod(sign_test_header)

    def __init__(self, runner: Runs, plain: Webhooks) -> None:
        super().__init__(runner, plain)
        self.endpoints = AsyncEndpoints(runner, plain.endpoints)
        self.deliveries = AsyncDeliveries(runner, plain.deliveries)
        self.callback_secret = AsyncCallbackSecrets(runner, plain.callback_secret)

    events = awaited(Webhooks.events)


class AsyncResult(Part[EnhanceResult]):
    """An enhanced image. Its bytes are downloaded only on request."""

    @property
    def job(self) -> Job:
        """The completed job."""
        return self._plain.job

    @property
    def url(self) -> str:
        """URL of the image. It works without a key until ``exp``."""
        return self._plain.url

    @property
    def info(self) -> JobResult:
        """Format, size and digest."""
        return self._plain.info

    bytes = awaited(EnhanceResult.bytes)
    save = awaited(EnhanceResult.save)


def _with_result(
    method: "Callable[Concatenate[S, P], EnhanceResult]",
) -> "Callable[Concatenate[Any, P], Coroutine[Any, Any, AsyncResult]]":
    """A method that returns a result, as a coroutine."""
    whole = awaited(method)

    @functools.wraps(method)
    async def call(self: Any, *args: Any, **options: Any) -> AsyncResult:
        return AsyncResult(self._runner, await whole(self, *args, **options))

    # The wrapper takes the method's arguments. Python 3.9 cannot express its type.
    return call  # type: ignore[return-value]


class AsyncClient(Part[Client]):
    """Like ``Client``, for asyncio."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = 4,
        max_rate_limit_wait: float = 120.0,
        ssl_context: Optional[ssl.SSLContext] = None,
        headers: Optional[Mapping[str, str]] = None,
        transport: Optional[HttpTransport] = None,
    ) -> None:
        options: Dict[str, Any] = {
            "timeout": timeout,
            "max_retries": max_retries,
            "max_rate_limit_wait": max_rate_limit_wait,
            "ssl_context": ssl_context,
            "headers": headers,
            "transport": transport,
        }
        self._assemble(Runner(), Client(api_key, base_url, **options))

    def _assemble(self, runner: Runs, plain: Client) -> None:
        """Creates the parts. ``runner`` decides where their calls run."""
        Part.__init__(self, runner, plain)
        self.jobs = AsyncJobs(self._runner, self._plain.jobs)
        self.batches = AsyncBatches(self._runner, self._plain.batches)
        self.presets = AsyncPresets(self._runner, self._plain.presets)
        self.sources = AsyncSources(self._runner, self._plain.sources)
        self.webhooks = AsyncWebhooks(self._runner, self._plain.webhooks)

    enhance = _with_result(Client.enhance)
    enhance_in_one_request = awaited(Client.enhance_in_one_request)
    upload = awaited(Client.upload)
    result = _with_result(Client.result)
    operations = awaited(Client.operations)
    usage = awaited(Client.usage)
    export_usage = awaited(Client.export_usage)

    async def with_response(
        self, call: "Callable[P, Coroutine[Any, Any, T]]", *args: "P.args", **kwargs: "P.kwargs"
    ) -> "WithResponse[T]":
        """Like ``Client.with_response``. ``call`` is a coroutine method of this client."""
        with noted_responses() as seen:
            data = await call(*args, **kwargs)
        return with_last(data, seen)

    async def close(self) -> None:
        """Closes idle connections and threads. The client cannot be used afterward."""
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
