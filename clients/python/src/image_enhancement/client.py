"""The client."""

from __future__ import annotations

import ssl
import time
from types import TracebackType
from typing import Any, Callable, List, Mapping, Optional, Type

from ._cancellation import without_cancellation
from ._files import FileInput, ImageInput, uploaded_address
from ._transport import Request, Transport, new_idempotency_key, settings_from
from .errors import ImageEnhancementError
from .jobs import Jobs
from .models import JobState, Operation, Source, Usage
from .result import EnhanceResult
from .sources import Sources
from .webhooks import Webhooks

_CANCEL_SECONDS = 2.0


class Client:
    """A client of the image enhancement service; one serves a whole program, any number of threads.

    ``api_key`` (default: IMAGE_ENHANCEMENT_API_KEY); ``base_url`` (default: IMAGE_ENHANCEMENT_URL, else
    http://localhost:3000); ``timeout``: seconds for one request and its answer, default 60, uploads and downloads
    300; ``max_retries``: how often a request is sent again after a broken connection or a fault of the service;
    ``max_rate_limit_wait``: seconds a call may wait, all in all, when it is told that there are too many requests.
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
    ) -> None:
        self._transport = Transport(
            settings_from(
                api_key,
                base_url,
                timeout_seconds=timeout,
                max_retries=max_retries,
                max_rate_limit_wait_seconds=max_rate_limit_wait,
                ssl_context=ssl_context,
            )
        )
        self.jobs = Jobs(self._transport)
        self.sources = Sources(self._transport)
        self.webhooks = Webhooks(self._transport)

    def enhance(
        self,
        image: ImageInput,
        operation: str,
        *,
        level: Optional[str] = None,
        output: Optional[Mapping[str, Any]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[JobState], None]] = None,
    ) -> EnhanceResult:
        """Uploads the image unless it is there already, creates the job and waits for its end.

        ``image``: a path, bytes, a binary stream, or the address of an upload. ``timeout``: seconds for all of it.
        An interrupt (Ctrl-C) cancels the job, so that nobody pays for what nobody wants. Raises
        QuotaExceededError, InvalidImageError, JobFailedError, WaitTimeoutError and the others of this library.
        """
        started = time.monotonic()
        key = idempotency_key or new_idempotency_key()
        source_url = uploaded_address(image)
        if source_url is None:
            source = self.sources.upload(
                image,  # type: ignore[arg-type]  # an address was ruled out
                idempotency_key=f"{key}-upload",
                timeout=timeout,
            )
            source_url = source.url
        job = self.jobs.create(
            source_url,
            operation,
            level=level,
            output=output,
            metadata=metadata,
            idempotency_key=key,
            timeout=timeout,
        )
        rest = None if timeout is None else max(0.001, timeout - (time.monotonic() - started))
        try:
            ended = self.jobs.wait(job.id, timeout=rest, on_progress=on_progress)
        except Exception:
            raise
        except BaseException:
            self._cancel_quietly(job.id)
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

    def operations(self) -> List[Operation]:
        """What the service can do."""
        answer = self._transport.json(Request("GET", "/api/ai/operations"))
        return [Operation.from_json(item) for item in answer["data"]]

    def usage(self) -> Usage:
        """The account's plan, its limits and what is used of them."""
        return Usage.from_json(self._transport.json(Request("GET", "/api/usage")))

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

    def _cancel_quietly(self, job_id: str) -> None:
        """Best effort: it may have ended meanwhile, or there may be no connection."""
        with without_cancellation():
            try:
                self.jobs.cancel(job_id, timeout=_CANCEL_SECONDS, max_retries=0)
            except ImageEnhancementError:
                pass
