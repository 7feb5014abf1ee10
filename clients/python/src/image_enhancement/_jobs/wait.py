"""Waiting for a job: kind to the service, and not impressed by broken connections."""

from __future__ import annotations

import json
import random
import time
from typing import Callable, Iterator, Optional, Tuple

from .._http.answers import read
from .._http.request import Request, segment
from .._http.retry import LONGEST_ASKED_SECONDS, is_passing
from .._http.server_events import read_events
from .._http.transport import Transport
from .._limits import deadline as _deadline
from .._limits.cancellation import pause
from .._models.generated import Job
from .._models.state import JobState
from ..errors import ApiError, ImageEnhancementError, JobFailedError, RateLimitError, WaitTimeoutError

ProgressCallback = Callable[[JobState], None]

DEFAULT_TIMEOUT_SECONDS = 600.0
_AWAY_SECONDS = 120.0
"""How long the service may be away while a job is waited for: a restart, a network that is gone for a moment."""
_HOLD_SECONDS = 25.0
"""Below the idle time-out of common proxies."""
_SPARE_SECONDS = 15.0
_QUIET_SECONDS = 40.0
"""The service says that it is still there every 15 s."""
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0


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
    """One wait for one job: with the event stream when progress is wanted, else with held answers, else by polling."""

    def __init__(
        self, transport: Transport, job_id: str, limit: float, on_progress: Optional[ProgressCallback]
    ) -> None:
        self._transport = transport
        self._job_id = job_id
        self._path = f"/api/ai/enhance/{segment(job_id)}"
        self._limit = limit
        self._deadline = time.monotonic() + limit
        self._on_progress = on_progress
        self._has_streams = on_progress is not None
        self._last_event_id = ""
        self._away_since: Optional[float] = None
        self._pause = _FIRST_PAUSE_SECONDS
        # What the service has asked for since the last pause.
        self._asked = 0.0
        self._told: Optional[Tuple[object, ...]] = None

    def end(self) -> Job:
        """The job when it has ended."""
        while True:
            try:
                job = self._follow() if self._has_streams else self._ask()
                if job is not None:
                    return job
            except _Over:
                raise
            except ImageEnhancementError as error:
                self._consider(error)
            self._rest()

    def _follow(self) -> Optional[Job]:
        for state in self._stream():
            self._see(state)
            if state.job.has_ended:
                return state.job
        # Ended without the end: the service stops, or it had told us before the connection broke.
        return self._ask()

    def _stream(self) -> Iterator[JobState]:
        headers = {"accept": "text/event-stream"}
        if self._last_event_id:
            headers["last-event-id"] = self._last_event_id
        request = Request("GET", f"{self._path}/events", headers=headers)
        with self._transport.lines(request, _QUIET_SECONDS) as (response, lines):
            if response.status == 204:
                return
            for event in read_events(lines):
                if event.event == "job":
                    self._last_event_id = event.id
                    yield read(event.data, _state_of)
                self._left()

    def _ask(self) -> Optional[Job]:
        hold = max(1, int(min(_HOLD_SECONDS, self._left())))
        request = Request("GET", self._path, headers={"prefer": f"wait={hold}"})
        # Broken connections are for this wait to judge.
        answer = self._transport.send(request, timeout_seconds=hold + _SPARE_SECONDS, max_retries=0)
        job = answer.read(Job.from_json)
        self._see(JobState(job, None))
        if job.has_ended:
            return job
        # An answer that was held has done the waiting.
        if "preference-applied" in answer.headers:
            self._pause = 0.0
        return None

    def _see(self, state: JobState) -> None:
        self._away_since = None
        job = state.job
        telling = (job.status, job.progress, job.attempts, state.queue_position)
        if telling == self._told or self._on_progress is None:
            return
        self._told = telling
        self._on_progress(state)

    def _consider(self, error: ImageEnhancementError) -> None:
        """Raises the error, unless waiting may help."""
        self._left()
        is_unknown_route = isinstance(error, ApiError) and error.status in (404, 405, 406, 503)
        if self._has_streams and is_unknown_route:
            # An older service or a proxy, or no room for another stream. If the job itself is unknown, asking for it says so.
            self._has_streams = False
            return
        if not is_passing(error):
            raise error
        if isinstance(error, ApiError):
            self._asked = error.retry_after_seconds or 0.0
        if isinstance(error, RateLimitError):
            # A rate limit is no outage: only the time of the whole wait ends it.
            return
        now = time.monotonic()
        self._away_since = now if self._away_since is None else self._away_since
        if now - self._away_since > _AWAY_SECONDS:
            raise error

    def _rest(self) -> None:
        own = self._pause * random.uniform(0.75, 1.0)
        # On top of what was asked for: all who are refused are told the same time.
        pause(min(min(self._asked, LONGEST_ASKED_SECONDS) + own, self._left()))
        self._asked = 0.0
        self._pause = min(max(self._pause, _FIRST_PAUSE_SECONDS / 2) * 1.5, _LONGEST_PAUSE_SECONDS)

    def _left(self) -> float:
        """Seconds left. Raises WaitTimeoutError when there are none."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _over(self._job_id, self._limit)
        return left


def _state_of(text: str) -> JobState:
    data = json.loads(text)
    return JobState(Job.from_json(data["job"]), data["queuePosition"])


class _Over(WaitTimeoutError):
    """The whole wait is over, not one request of it."""


def _over(job_id: str, limit: float) -> WaitTimeoutError:
    return _Over(
        f"The job {job_id} had not ended after {limit:g} s. It goes on: jobs.wait(id) waits for it again.",
        job_id,
    )
