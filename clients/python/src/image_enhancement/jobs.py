"""Enhancement jobs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Optional

from ._http.lists import Paged
from ._http.request import Request, json_request
from ._http.transport import Transport
from ._jobs.creation import PATH, JobCreation, path_of
from ._jobs.order import order_of
from ._jobs.wait import ProgressCallback, wait_for_job
from ._models.generated import DryRun, Job
from .errors import ConflictError, GoneError, NotFoundError
from .literals import JobStatus, OperationName
from .options import DryRunOptions, JobOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Jobs:
    """Enhancement jobs of the account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        source_url: str,
        operation: Optional[OperationName] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        **options: Unpack[JobOptions],
    ) -> Job:
        """Creates a job for an uploaded source. The job is queued; ``wait`` waits for its end.

        ``options``: see ``JobOptions``; ``operations`` runs several operations, one after the other.
        ``idempotency_key``: the same key creates the same job only once; default: a new one for each call. An
        interrupt while the request is in progress cancels a job that it may have created.
        """
        body = {"sourceUrl": source_url, **order_of(operation, options)}
        return JobCreation(self._transport, body, idempotency_key).run_or_abandon(timeout)

    def dry_run(
        self,
        source_url: str,
        operation: Optional[OperationName] = None,
        *,
        timeout: Optional[float] = None,
        **options: Unpack[DryRunOptions],
    ) -> DryRun:
        """The cost, duration, and output of a job. Creates nothing; raises the same errors as ``create``."""
        body = {"sourceUrl": source_url, **order_of(operation, options, DryRunOptions), "dryRun": True}
        return self._transport.read(json_request("POST", PATH, body), DryRun.from_json, timeout)

    def get(self, job_id: str, *, timeout: Optional[float] = None) -> Job:
        """The current state of one job."""
        return self._transport.read(Request("GET", path_of(job_id)), Job.from_json, timeout)

    def list(
        self,
        *,
        status: Optional[JobStatus] = None,
        operation: Optional[str] = None,
        batch_id: Optional[str] = None,
        created_after: Optional[datetime] = None,
        created_before: Optional[datetime] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Paged[Job]:
        """Jobs, newest first; ``limit``: page size, 1 to 100; ``timeout``: seconds for each page."""
        query = {
            "status": status,
            "operation": operation,
            "batchId": batch_id,
            "createdAfter": created_after,
            "createdBefore": created_before,
            "limit": limit,
        }
        return Paged(self._transport, PATH, query, Job.from_json, timeout)

    def wait(
        self,
        job_id: str,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[ProgressCallback] = None,
    ) -> Job:
        """Waits until the job has completed. ``timeout`` in seconds, default: ten minutes.

        Continues after broken connections and restarts of the service. Raises JobFailedError when the job
        fails, and WaitTimeoutError when it takes longer.
        """
        return wait_for_job(self._transport, job_id, timeout, on_progress)

    def cancel(
        self, job_id: str, *, timeout: Optional[float] = None, max_retries: Optional[int] = None
    ) -> Job:
        """Cancels a job that has not ended. It costs nothing. Raises ConflictError when it has ended."""
        request = Request("POST", f"{path_of(job_id)}/cancel")
        try:
            return self._transport.read(request, Job.from_json, timeout, max_retries)
        except ConflictError:
            # The response to an earlier attempt may have been lost: then the job is canceled, as requested.
            job = self.get(job_id, timeout=timeout)
            if job.error is None or job.error.code != "canceled":
                raise
            return job

    def delete(self, job_id: str, *, timeout: Optional[float] = None) -> None:
        """Deletes a job and erases its result immediately, with ``retention="deliver"`` its source, too. Cancels the
        job first if necessary."""
        delete_once(self._transport, path_of(job_id), timeout)


def delete_once(transport: Transport, path: str, timeout: Optional[float]) -> None:
    """Deletes a resource. If the response to an attempt was lost, a later one that finds the resource gone
    succeeds.

    If the resource was unknown from the start, or the earlier requests were rejected, raises NotFoundError or
    GoneError.
    """
    request = Request("DELETE", path)
    try:
        transport.send(request, timeout)
    except (GoneError, NotFoundError):
        if not request.unheard:
            raise
