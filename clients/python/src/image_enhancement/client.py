"""The client."""

from __future__ import annotations

import ssl
from datetime import date, datetime, timezone
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, Optional, Type, TypeVar, Union

from ._files.inputs import FileInput, ImageInput, name_of, read_image, uploaded_address, web_address
from ._files.sending import UploadCallback
from ._http.idempotency import upload_key_of
from ._http.injected import HttpTransport
from ._http.request import Request
from ._http.settings import DEFAULT_TIMEOUT_SECONDS, settings_from
from ._http.transport import Transport
from ._jobs.creation import JobCreation
from ._jobs.enhance_call import EnhanceCall
from ._jobs.order import order_of
from ._limits.deadline import within
from ._models.generated import Job, Operation, Source, Usage
from ._models.state import JobState
from .batches import Batches
from .errors import ImageEnhancementError
from .jobs import Jobs
from .literals import OperationName
from .options import JobOptions
from .presets import Presets
from .result import EnhanceResult
from .sources import Sources
from .webhooks import Webhooks
from .with_response import WithResponse, noted_responses, with_last

if TYPE_CHECKING:
    from typing_extensions import ParamSpec, Unpack

    P = ParamSpec("P")

T = TypeVar("T")


class Client:
    """A client of the image enhancement service. Create one for the whole program; it is thread-safe.

    ``api_key``: default IMAGE_ENHANCEMENT_API_KEY. ``base_url``: default IMAGE_ENHANCEMENT_URL, otherwise
    http://localhost:3000. ``timeout``: seconds for one request and its response, default 60, and 300 for uploads and
    downloads.
    ``max_retries``: retries after a broken connection or a server error; with 0, a 429 is raised at once, too.
    ``max_rate_limit_wait``: total seconds that one request may wait after 429 responses, at most a ``timeout`` of the
    call or a shorter one of the client; ``jobs.wait`` continues until its own timeout. ``headers``: sent with every
    request to the API. ``transport``: a function that sends each ``HttpRequest`` and returns an ``HttpResponse``,
    instead of http.client; it manages its own timeouts and connections. A limit that is not a number is refused.
    """

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
        self._transport = Transport(
            settings_from(
                api_key,
                base_url,
                timeout_seconds=timeout,
                max_retries=max_retries,
                max_rate_limit_wait_seconds=max_rate_limit_wait,
                ssl_context=ssl_context,
                headers={} if headers is None else dict(headers),
                transport=transport,
            )
        )
        self.jobs = Jobs(self._transport)
        self.batches = Batches(self._transport)
        self.presets = Presets(self._transport)
        self.sources = Sources(self._transport)
        self.webhooks = Webhooks(self._transport)

    def enhance(
        self,
        image: ImageInput,
        operation: Optional[OperationName] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[JobState], None]] = None,
        on_upload: Optional[UploadCallback] = None,
        direct: bool = False,
        **options: Unpack[JobOptions],
    ) -> EnhanceResult:
        """Uploads the image unless it is already uploaded, creates the job, and waits for its end.

        ``image``: a path, bytes, a binary stream, the URL of a picture on the web, or an upload. ``options``:
        see ``JobOptions``; ``operations`` runs several operations. ``timeout``: seconds for the whole call.
        ``direct`` and ``on_upload``: see ``direct`` and ``on_progress`` of ``sources.upload``. An interrupt
        (Ctrl-C) cancels the job, even while it is being created, so that an unwanted job costs nothing.

        Raises QuotaExceededError, InvalidImageError, JobFailedError, WaitTimeoutError, and the other errors
        of this library. They carry the ``idempotency_key`` of the whole call, and the ``job_id`` once there
        is a job. Repeat the call with that key to continue with the job that was paid for.
        """
        order = order_of(operation, options)
        with EnhanceCall(timeout, idempotency_key) as call:
            with within(call.limit):
                address = self._address_of(image, upload_key_of(call.key), direct, on_upload)
                job = call.created(JobCreation(self._transport, {"sourceUrl": address, **order}, call.key)).run()
            ended = self.jobs.wait(job.id, timeout=call.left(), on_progress=on_progress)
        return EnhanceResult(self._transport, self.jobs, ended)

    def enhance_in_one_request(
        self,
        image: ImageInput,
        operation: Optional[OperationName] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        **options: Unpack[JobOptions],
    ) -> bytes:
        """Like ``enhance``, in one request. Returns the bytes of the result.

        A file is uploaded and enhanced by the same request, so a rejected job leaves no upload behind. The
        request has the time limit of an upload. If the job has not ended after 25 seconds, or half of that
        limit, the client waits for it like ``enhance``. ``timeout``: seconds for the whole call, in which the
        result must be read, too. Errors have its key and its job, like those of ``enhance``.
        """
        order = order_of(operation, options)
        with EnhanceCall(timeout, idempotency_key) as call:
            with within(call.limit):
                creation = call.created(self._creation_of(image, order, call.key))
                answer = creation.picture()
            if isinstance(answer, bytes):
                return answer
            ended = call.completed(self.jobs.wait(answer, timeout=call.left()))
            with within(call.left()):
                return EnhanceResult(self._transport, self.jobs, ended).bytes()

    def upload(
        self,
        image: FileInput,
        *,
        direct: bool = False,
        on_progress: Optional[UploadCallback] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Source:
        """The same as ``sources.upload``."""
        return self.sources.upload(
            image, direct=direct, on_progress=on_progress, idempotency_key=idempotency_key, timeout=timeout
        )

    def result(self, job: Union[str, Job], *, timeout: Optional[float] = None) -> EnhanceResult:
        """The result of a job, given as a ``Job`` or an id. Waits for the job, unless the ``Job`` has already
        completed.
        """
        if job is None:
            # The ``job_id`` of an error may be None.
            raise ImageEnhancementError(
                "invalid_option", "Give a job or its id. An error without a job_id has no job: repeat the call."
            )
        if isinstance(job, str) or job.status != "completed":
            job = self.jobs.wait(job if isinstance(job, str) else job.id, timeout=timeout)
        return EnhanceResult(self._transport, self.jobs, job)

    def operations(self, *, timeout: Optional[float] = None) -> List[Operation]:
        """The operations that the service offers."""
        request = Request("GET", "/api/ai/operations")
        return self._transport.read(
            request, lambda answer: [Operation.from_json(each) for each in answer["data"]], timeout
        )

    def usage(self, *, timeout: Optional[float] = None) -> Usage:
        """The account's plan, its limits, and current usage."""
        return self._transport.read(Request("GET", "/api/usage"), Usage.from_json, timeout)

    def export_usage(
        self,
        *,
        from_day: Union[str, date, None] = None,
        to_day: Union[str, date, None] = None,
        timeout: Optional[float] = None,
    ) -> str:
        """Enhancements by day, key, and operation as CSV: ``day,key_id,key_name,operation,enhancements``.

        ``from_day``, ``to_day``: the first and the last day (UTC), as dates or text such as "2026-01-31";
        default: the last 30 days.
        """
        query = {"from": _day(from_day), "to": _day(to_day)}
        request = Request("GET", "/api/usage/export", query=query, headers={"accept": "text/csv"})
        return self._transport.send(request, timeout).body.decode("utf-8")

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

    def _address_of(
        self,
        image: ImageInput,
        upload_key: str,
        direct: bool = False,
        on_upload: Optional[UploadCallback] = None,
    ) -> str:
        """The URL of an image, which is uploaded unless it already is."""
        address = uploaded_address(image)
        if address is not None:
            return address
        url = web_address(image)
        if url is not None:
            return self.sources.upload_url(url, idempotency_key=upload_key).url
        return self.sources.upload(
            image,  # type: ignore[arg-type]  # addresses were ruled out
            direct=direct,
            on_progress=on_upload,
            idempotency_key=upload_key,
        ).url

    def _creation_of(self, image: ImageInput, order: Mapping[str, Any], key: str) -> JobCreation:
        """The job creation for an image. A file is sent with the request."""
        if isinstance(image, Source) or web_address(image) is not None:
            address = self._address_of(image, upload_key_of(key))
            return JobCreation(self._transport, {"sourceUrl": address, **order}, key)
        return JobCreation(self._transport, order, key, image=read_image(image), file_name=name_of(image))


def _day(given: Union[str, date, None]) -> Optional[str]:
    """The day in the service's format. For a time with a zone, this is its day in UTC."""
    if isinstance(given, datetime) and given.tzinfo is not None:
        given = given.astimezone(timezone.utc)
    return given if given is None or isinstance(given, str) else f"{given:%Y-%m-%d}"
