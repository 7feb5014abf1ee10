"""The client."""

from __future__ import annotations

import ssl
import time
from types import TracebackType
from typing import TYPE_CHECKING, Callable, List, Mapping, Optional, Type, TypeVar

from ._files.inputs import FileInput, ImageInput, uploaded_address
from ._http.idempotency import check_idempotency_key, new_idempotency_key, upload_key_of
from ._http.request import Request
from ._http.settings import settings_from
from ._http.transport import Transport
from ._jobs.creation import JobCreation, abandon
from ._jobs.wait import DEFAULT_TIMEOUT_SECONDS
from ._limits.deadline import within
from ._models.generated import Operation, Source, Usage
from ._models.state import JobState
from .errors import ImageEnhancementError, WaitTimeoutError
from .jobs import Jobs
from .literals import Fit, Level, OperationName, Output, Retention
from .result import EnhanceResult
from .sources import Sources
from .webhooks import Webhooks
from .with_response import WithResponse, noted_responses, with_last

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")


class Client:
    """A client of the image enhancement service. Create one for the whole program; it is thread-safe.

    ``api_key``: default IMAGE_ENHANCEMENT_API_KEY. ``base_url``: default IMAGE_ENHANCEMENT_URL, otherwise
    http://localhost:3000. ``timeout``: seconds for one request and its response, default 60, uploads and downloads 300.
    ``max_retries``: retries after a broken connection or a server error; with 0, a 429 is raised at once, too.
    ``max_rate_limit_wait``: total seconds that one request may wait after 429 responses, at most a ``timeout`` of the
    call or a shorter one of the client; ``jobs.wait`` continues until its own timeout. ``headers``: sent with every
    request to the API. A limit that is not a number is refused.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 4,
        max_rate_limit_wait: float = 120.0,
        ssl_context: Optional[ssl.SSLContext] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._transport = Transport(
            settings_from(
                api_key,
                base_url,
                timeout_seconds=timeout,
                max_retries=max_retries,
                max_rate_limit_wait_seconds=max_rate_limit_wait,
                ssl_context=ssl_context,
                headers={} if headers is None else dict(headers),
            )
        )
        self.jobs = Jobs(self._transport)
        self.sources = Sources(self._transport)
        self.webhooks = Webhooks(self._transport)

    def enhance(
        self,
        image: ImageInput,
        operation: OperationName,
        *,
        level: Optional[Level] = None,
        strength: Optional[float] = None,
        scale: Optional[int] = None,
        width: Optional[int] = None,
        height: Optional[int] = None,
        fit: Optional[Fit] = None,
        output: Optional[Output] = None,
        metadata: Optional[Mapping[str, str]] = None,
        cache: Optional[bool] = None,
        callback_url: Optional[str] = None,
        cancel_after: Optional[str] = None,
        expires_in: Optional[int] = None,
        retention: Optional[Retention] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[JobState], None]] = None,
    ) -> EnhanceResult:
        """Uploads the image unless it is there already, creates the job and waits for its end.

        ``image``: a path, bytes, a binary stream, or the address of an upload. ``timeout``: seconds for all of it.
        An interrupt (Ctrl-C) cancels the job, so that nobody pays for what nobody wants, also while its creation is on
        its way. Raises
        QuotaExceededError, InvalidImageError, JobFailedError, WaitTimeoutError and the others of this library. They
        carry the ``idempotency_key`` of the whole call, and the ``job_id`` as soon as there is a job: the same call
        with that key goes on with what was paid for.
        """
        limit = DEFAULT_TIMEOUT_SECONDS if timeout is None else timeout
        order = {
            "operation": operation,
            "level": level,
            "strength": strength,
            "scale": scale,
            "width": width,
            "height": height,
            "fit": fit,
            "output": output,
            "metadata": metadata,
            "cache": cache,
            "callbackUrl": callback_url,
            "cancelAfter": cancel_after,
            "expiresIn": expires_in,
            "retention": retention,
        }
        key = new_idempotency_key() if idempotency_key is None else idempotency_key
        check_idempotency_key(key)
        creation: Optional[JobCreation] = None
        started = time.monotonic()
        try:
            with within(limit):
                address = self._address_of(image, upload_key_of(key))
                creation = JobCreation(self._transport, {"sourceUrl": address, **order}, key)
                job = creation.run()
            left = max(0.0, limit - (time.monotonic() - started))
            ended = self.jobs.wait(job.id, timeout=left, on_progress=on_progress)
        except WaitTimeoutError as error:
            late = _timed_out(limit, creation, idempotency_key is not None)
            late.idempotency_key = key
            raise late from error
        except ImageEnhancementError as error:
            # Not the key of the one request that failed: the caller repeats the whole call.
            error.idempotency_key = key
            if creation is not None and creation.job is not None:
                error.job_id = creation.job.id
            raise
        except Exception:
            raise
        except BaseException as interrupt:
            if creation is not None:
                abandon(creation, interrupt)
            raise
        return EnhanceResult(self._transport, self.jobs, ended)

    def upload(
        self, image: FileInput, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None
    ) -> Source:
        """Uploads one image; its ``url`` is what jobs are made from."""
        return self.sources.upload(image, idempotency_key=idempotency_key, timeout=timeout)

    def result(self, job_id: str, *, timeout: Optional[float] = None) -> EnhanceResult:
        """The result of a job, waited for."""
        return EnhanceResult(self._transport, self.jobs, self.jobs.wait(job_id, timeout=timeout))

    def operations(self, *, timeout: Optional[float] = None) -> List[Operation]:
        """The operations that the service offers."""
        request = Request("GET", "/api/ai/operations")
        return self._transport.read(
            request, lambda answer: [Operation.from_json(each) for each in answer["data"]], timeout
        )

    def usage(self, *, timeout: Optional[float] = None) -> Usage:
        """The account's plan, its limits, and current usage."""
        return self._transport.read(Request("GET", "/api/usage"), Usage.from_json, timeout)

    def with_response(
        self, call: "Callable[P, T]", *args: "P.args", **kwargs: "P.kwargs"
    ) -> "WithResponse[T]":
        """Runs a call and returns its value with the request id, rate limit, and headers of its last response.

        For example ``client.with_response(client.jobs.get, "job_…").rate_limit``.
        """
        with noted_responses() as seen:
            data = call(*args, **kwargs)
        return with_last(data, seen)

    def close(self) -> None:
        """Closes idle connections. The client can still be used."""
        self._transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _address_of(self, image: ImageInput, upload_key: str) -> str:
        """The address of an image, which is uploaded unless it is there already."""
        address = uploaded_address(image)
        if address is not None:
            return address
        return self.sources.upload(
            image,  # type: ignore[arg-type]  # an address was ruled out
            idempotency_key=upload_key,
        ).url


def _timed_out(limit: float, creation: Optional[JobCreation], is_own_key: bool) -> WaitTimeoutError:
    """What is raised when the time of ``enhance`` is over.

    A job that is waited for goes on. One whose creation was not answered is canceled, since nobody would know of it;
    under a key of the caller's own it goes on too, for the same call to find it.
    """
    text = f"The image was not enhanced after {limit:g} s."
    if creation is None:
        return WaitTimeoutError(text)
    is_canceled = False
    if creation.is_in_doubt:
        if is_own_key:
            creation.find()
        else:
            is_canceled = creation.withdraw()
    job_id = None if creation.job is None else creation.job.id
    if creation.is_in_doubt:
        text += (
            " Whether its job was created is not known: the same call with the idempotency_key"
            f" {creation.idempotency_key} goes on with it."
        )
    elif job_id is not None:
        fate = "was canceled." if is_canceled else "goes on: result(id) waits for it again."
        text += f" The job {job_id} {fate}"
    return WaitTimeoutError(text, job_id)
