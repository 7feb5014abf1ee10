"""A call that creates a job and waits for its result, with cleanup when it ends early."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Optional, Type

from .._http.idempotency import check_idempotency_key, new_idempotency_key
from .._models.generated import Job
from ..errors import ImageEnhancementError, WaitTimeoutError
from .creation import JobCreation, abandon
from .wait import DEFAULT_TIMEOUT_SECONDS

_TIMER_TOLERANCE_SECONDS = 0.05
"""How much too early the timeout of a request may end."""


class EnhanceCall:
    """One such call, as a context manager.

    Errors get the ``idempotency_key`` of the whole call, and the ``job_id`` if there is a job. An interrupt
    cancels the job, or gets both if the job has completed.
    """

    def __init__(self, timeout: Optional[float], idempotency_key: Optional[str]) -> None:
        self.limit = DEFAULT_TIMEOUT_SECONDS if timeout is None else timeout
        """Seconds for all of it."""
        self.key = new_idempotency_key() if idempotency_key is None else idempotency_key
        check_idempotency_key(self.key)
        self._is_own_key = idempotency_key is not None
        self._creation: Optional[JobCreation] = None
        self._completed: Optional[Job] = None
        self._started = time.monotonic()

    def left(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self.limit - (time.monotonic() - self._started))

    def created(self, creation: JobCreation) -> JobCreation:
        """Records the creation before its request is sent."""
        self._creation = creation
        return creation

    def completed(self, job: Job) -> Job:
        """Records that the job was paid for, and its result is still to be read."""
        self._completed = job
        return job

    def __enter__(self) -> "EnhanceCall":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if isinstance(error, WaitTimeoutError):
            late = self._timed_out(error)
            late.idempotency_key = self.key
            raise late from error
        if isinstance(error, ImageEnhancementError):
            # Not the key of the failed request, because the caller repeats the whole call.
            error.idempotency_key = self.key
            job = self._job()
            if job is not None:
                error.job_id = job.id
        elif error is not None and not isinstance(error, Exception):
            if self._completed is not None:
                setattr(error, "job_id", self._completed.id)
                setattr(error, "idempotency_key", self.key)
            elif self._creation is not None:
                abandon(self._creation, error)
            elif hasattr(error, "idempotency_key"):
                # There is an upload at most.
                setattr(error, "idempotency_key", self.key)

    def _job(self) -> Optional[Job]:
        return self._completed or (None if self._creation is None else self._creation.created)

    def _timed_out(self, error: WaitTimeoutError) -> WaitTimeoutError:
        """The error when the time is over, or that of one request with the fate of the job.

        A job that the call waits for continues. A job whose creation was not confirmed is canceled, because
        nobody would know its id. With a key of the caller's own, it continues, too: repeating the call finds
        it.
        """
        is_over = self.left() < _TIMER_TOLERANCE_SECONDS
        if self._completed is not None:
            job = self._completed
            text = f"The result was not read within {self.limit:g} s." if is_over else error.message
            return WaitTimeoutError(f"{text} The job {job.id} has completed: result(id) gives it.", job.id)
        text = f"The image was not enhanced after {self.limit:g} s." if is_over else error.message
        creation = self._creation
        if creation is None:
            return WaitTimeoutError(text)
        is_canceled = False
        if creation.is_in_doubt:
            if self._is_own_key:
                creation.find()
            else:
                is_canceled = creation.withdraw()
        job_id = None if creation.created is None else creation.created.id
        if creation.is_in_doubt:
            text += (
                " Whether its job was created is not known: the same call with the idempotency_key"
                f" {creation.idempotency_key} goes on with it."
            )
        elif job_id is not None:
            fate = "was canceled." if is_canceled else "goes on: result(id) waits for it again."
            text += f" The job {job_id} {fate}"
        # A canceled job has nothing to wait for.
        return WaitTimeoutError(text, None if is_canceled else job_id)
