"""Batches: the same request for up to 1,000 sources."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence, Union

from ._files.archive import ArchiveDownload
from ._http.idempotency import new_idempotency_key
from ._http.lists import Paged
from ._http.request import Request, json_request, segment
from ._http.transport import Transport
from ._jobs.batch_wait import BatchProgress, wait_for_batch
from ._jobs.creation import Creation
from ._jobs.order import order_of
from ._models.generated import Batch, BatchDryRun, Job
from .errors import ConflictError
from .literals import JobStatus, OperationName, QuotaChoice
from .options import BatchOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

PATH = "/api/ai/batches"
ARCHIVE_TIMEOUT_SECONDS = 3600.0


def _path_of(batch_id: str) -> str:
    return f"{PATH}/{segment(batch_id)}"


class Batches:
    """Batches of the account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        source_urls: Sequence[str],
        operation: Optional[OperationName] = None,
        *,
        on_quota: Optional[QuotaChoice] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        **options: Unpack[BatchOptions],
    ) -> Batch:
        """Creates a job for each of 1 to 1,000 uploads, or none at all. ``wait`` waits for their end.

        ``options``: see ``BatchOptions``. ``on_quota="partial"`` creates as many jobs as the month has left;
        ``skipped`` of the batch lists the rest. An interrupt while the request is in progress cancels a batch
        that it may have created. Raises InvalidRequestError, whose ``field_errors`` identify bad sources by
        their position, QuotaExceededError, and others.
        """
        order = order_of(operation, options, BatchOptions)
        body = {"sourceUrls": list(source_urls), "onQuota": on_quota, **order}
        return Creation(self._transport, PATH, body, Batch.from_json, idempotency_key).run_or_abandon(timeout)

    def dry_run(
        self,
        source_urls: Sequence[str],
        operation: Optional[OperationName] = None,
        *,
        on_quota: Optional[QuotaChoice] = None,
        timeout: Optional[float] = None,
        **options: Unpack[BatchOptions],
    ) -> BatchDryRun:
        """The cost and duration of a batch. Creates nothing; raises the same errors as ``create``."""
        order = order_of(operation, options, BatchOptions)
        body = {"sourceUrls": list(source_urls), "onQuota": on_quota, **order, "dryRun": True}
        return self._transport.read(json_request("POST", PATH, body), BatchDryRun.from_json, timeout)

    def get(self, batch_id: str, *, timeout: Optional[float] = None) -> Batch:
        """The current state of one batch, with its first 100 ``failures``."""
        return self._transport.read(Request("GET", _path_of(batch_id)), Batch.from_json, timeout)

    def list(self, *, limit: Optional[int] = None, timeout: Optional[float] = None) -> Paged[Batch]:
        """Batches, newest first; ``limit``: page size, 1 to 100; ``timeout``: seconds for each page."""
        return Paged(self._transport, PATH, {"limit": limit}, Batch.from_json, timeout)

    def items(
        self,
        batch_id: str,
        *,
        status: Optional[JobStatus] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Paged[Job]:
        """The jobs in the order of the sources; ``batch_index`` of each is its position among them."""
        query = {"status": status, "limit": limit}
        return Paged(self._transport, f"{_path_of(batch_id)}/jobs", query, Job.from_json, timeout)

    def wait(
        self,
        batch_id: str,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[BatchProgress] = None,
    ) -> Batch:
        """Waits until every item has ended. ``timeout`` in seconds, default: one day.

        ``on_progress`` is called with the batch at every change. Failed items raise nothing: see ``counts``
        and ``failures``. Raises WaitTimeoutError when it takes longer.
        """
        return wait_for_batch(self._transport, _path_of(batch_id), timeout, on_progress)

    def cancel(self, batch_id: str, *, timeout: Optional[float] = None) -> Batch:
        """Cancels all items that have not ended. They cost nothing. Raises ConflictError when all have ended.
        """
        request = Request("POST", f"{_path_of(batch_id)}/cancel")
        try:
            return self._transport.read(request, Batch.from_json, timeout)
        except ConflictError:
            # The response to an earlier attempt may have been lost: then the batch is canceled, as requested.
            batch = self.get(batch_id, timeout=timeout)
            if batch.status != "canceled":
                raise
            return batch

    def retry(
        self,
        batch_id: str,
        *,
        include_canceled: Optional[bool] = None,
        on_quota: Optional[QuotaChoice] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Batch:
        """Creates a new job for each failed item, and for canceled ones with ``include_canceled``.

        Raises ConflictError when there is nothing to retry.
        """
        body = {"includeCanceled": include_canceled, "onQuota": on_quota}
        key = new_idempotency_key() if idempotency_key is None else idempotency_key
        request = json_request("POST", f"{_path_of(batch_id)}/retry", body, key)
        return self._transport.read(request, Batch.from_json, timeout)

    def save_results(
        self, batch_id: str, path: Union[str, os.PathLike[str]], *, timeout: Optional[float] = None
    ) -> Path:
        """Writes all results of an ended batch to one ZIP archive, with a ``manifest.json``.

        An interrupted download resumes, even in a later call with the same path: until it is complete, the
        archive is ``<path>.part``. ``timeout``: seconds for each attempt, default: one hour. Raises
        ConflictError while items have not ended, and OSError when the file cannot be written.
        """
        limit = ARCHIVE_TIMEOUT_SECONDS if timeout is None else timeout
        return ArchiveDownload(self._transport, f"{_path_of(batch_id)}/results.zip", Path(path)).run(limit)
