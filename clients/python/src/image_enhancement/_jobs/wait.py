"""Waits for a job. Sends few requests, and tolerates broken connections."""

from __future__ import annotations

import json
from typing import Callable, Iterator, Optional, Tuple

from .._http.answers import read
from .._http.request import Request, segment
from .._http.server_events import read_events
from .._http.transport import SilentStream, Transport
from .._limits import deadline as _deadline
from .._models.generated import Job
from .._models.state import JobState
from ..errors import ApiError, ConnectionFailedError, ImageEnhancementError, JobFailedError
from .patience import Patience, WaitOver

ProgressCallback = Callable[[JobState], None]

DEFAULT_TIMEOUT_SECONDS = 600.0
_HOLD_SECONDS = 25.0
"""Below the idle time-out of common proxies."""
_SPARE_SECONDS = 15.0
_QUIET_SECONDS = 40.0
"""The service says that it is still there every 15 s."""


def wait_for_job(
    transport: Transport,
    job_id: str,
    timeout_seconds: Optional[float] = None,
    on_progress: Optional[ProgressCallback] = None,
) -> Job:
    """Waits until a job has completed. Raises JobFailedError, WaitTimeoutError, ApiError, ConnectionFailedError."""
    limit = DEFAULT_TIMEOUT_SECONDS if timeout_seconds is None else timeout_seconds
    with _deadline.within(limit):
        job = _Wait(transport, job_id, limit, on_progress).end()
    if job.status == "failed":
        raise JobFailedError(job)
    return job


class _Wait:
    """One wait for one job: with the event stream when progress is wanted, otherwise with held responses or
    polling.
    """

    def __init__(
        self, transport: Transport, job_id: str, limit: float, on_progress: Optional[ProgressCallback]
    ) -> None:
        self._transport = transport
        self._job_id = job_id
        self._path = f"/api/ai/enhance/{segment(job_id)}"
        self._patience = Patience(limit, lambda: _over(job_id, limit))
        self._on_progress = on_progress
        self._has_streams = on_progress is not None
        self._has_event = False
        """Whether the current stream has delivered an event."""
        self._last_event_id = ""
        self._told: Optional[Tuple[object, ...]] = None

    def end(self) -> Job:
        """The job, once it has ended."""
        while True:
            try:
                job = self._follow() if self._has_streams else self._ask()
                if job is not None:
                    return job
            except WaitOver:
                raise
            except ImageEnhancementError as error:
                self._consider(error)
            self._patience.rest()

    def _follow(self) -> Optional[Job]:
        try:
            for state in self._stream():
                self._see(state)
                if state.job.has_ended:
                    return state.job
        except ConnectionFailedError as error:
            self._patience.left()
            # A stream that something in between always breaks must not hide the end of the job.
            if not self._has_event and _is_held_back(error):
                raise
        # The stream ended before the job: the service is stopping, had already sent the end, or the connection
        # broke.
        return self._ask()

    def _stream(self) -> Iterator[JobState]:
        headers = {"accept": "text/event-stream"}
        if self._last_event_id:
            headers["last-event-id"] = self._last_event_id
        request = Request("GET", f"{self._path}/events", headers=headers)
        self._has_event = False
        with self._transport.lines(request, _QUIET_SECONDS) as (response, lines):
            if response.status == 204:
                return
            for event in read_events(lines):
                if event.event == "job":
                    self._has_event, self._last_event_id = True, event.id
                    yield read(event.data, _state_of)
                self._patience.left()

    def _ask(self) -> Optional[Job]:
        hold = max(1, int(min(_HOLD_SECONDS, self._patience.left())))
        # Between two streams, the answer must not hold up the next one, which reports the progress.
        headers = {} if self._has_streams else {"prefer": f"wait={hold}"}
        request = Request("GET", self._path, headers=headers)
        # This wait decides how to handle broken connections.
        answer = self._transport.send(request, timeout_seconds=hold + _SPARE_SECONDS, max_retries=0)
        job = answer.read(Job.from_json)
        self._see(JobState(job, None))
        if job.has_ended:
            return job
        if "preference-applied" in answer.headers:
            self._patience.held()
        return None

    def _see(self, state: JobState) -> None:
        self._patience.heard()
        job = state.job
        telling = (job.status, job.progress, job.attempts, state.queue_position)
        if telling == self._told or self._on_progress is None:
            return
        self._told = telling
        self._on_progress(state)

    def _consider(self, error: ImageEnhancementError) -> None:
        """Raises the error, unless waiting may help."""
        self._patience.left()
        if self._has_streams and (_is_no_stream(error) or not self._has_event and _is_held_back(error)):
            # If the job is unknown or the service is down, polling reports it.
            self._has_streams = False
            return
        self._patience.consider(error)


def _is_no_stream(error: ImageEnhancementError) -> bool:
    """Whether an older service or a proxy has no streams, or the service no capacity for another one."""
    return isinstance(error, ApiError) and error.status in (404, 405, 406, 503)


def _is_held_back(error: ImageEnhancementError) -> bool:
    """Whether the end of a stream without an event may be that of a proxy that holds streams back."""
    return isinstance(error, SilentStream) or (isinstance(error, ApiError) and error.status >= 500)


def _state_of(text: str) -> JobState:
    data = json.loads(text)
    return JobState(Job.from_json(data["job"]), data["queuePosition"])


def _over(job_id: str, limit: float) -> WaitOver:
    return WaitOver(
        f"The job {job_id} had not ended after {limit:g} s. It goes on: jobs.wait(id) waits for it again.",
        job_id,
    )
