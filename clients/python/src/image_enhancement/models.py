"""What the service answers, as frozen dataclasses. Fields of newer services are kept in ``raw``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Dict, Generic, List, Mapping, Optional, TypeVar

Json = Mapping[str, Any]
T = TypeVar("T")


def parse_time(text: str) -> datetime:
    """An ISO 8601 time of the service, in UTC."""
    # Before Python 3.11 fromisoformat knows no "Z" and only three or six digits of a second.
    return datetime.fromisoformat(re.sub(r"Z$", "+00:00", text)).astimezone(timezone.utc)


def format_time(time: datetime) -> str:
    """A time as the service reads it. A naive one counts as local time, as everywhere in Python."""
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _time(value: Optional[str]) -> Optional[datetime]:
    return None if value is None else parse_time(value)


@dataclass(frozen=True)
class Source:
    """An uploaded image; ``url`` is what jobs are made from. ``width`` and ``height`` in pixels, upright."""

    id: str
    url: str
    format: str
    width: int
    height: int
    bytes: int
    sha256: str
    created_at: datetime
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Source":
        """Reads the JSON of the service."""
        return cls(
            id=data["id"],
            url=data["url"],
            format=data["format"],
            width=data["width"],
            height=data["height"],
            bytes=data["bytes"],
            sha256=data["sha256"],
            created_at=parse_time(data["createdAt"]),
            raw=data,
        )


@dataclass(frozen=True)
class JobResult:
    """What a completed job made: pixels, bytes, SHA-256 in hex, and when the pixels are erased."""

    format: str
    width: int
    height: int
    bytes: int
    sha256: str
    expires_at: datetime

    @classmethod
    def from_json(cls, data: Json) -> "JobResult":
        """Reads the JSON of the service."""
        return cls(
            format=data["format"],
            width=data["width"],
            height=data["height"],
            bytes=data["bytes"],
            sha256=data["sha256"],
            expires_at=parse_time(data["expiresAt"]),
        )


@dataclass(frozen=True)
class JobError:
    """Why a job has failed; ``retryable``: whether the same job may succeed when it is created again."""

    code: str
    message: str
    retryable: bool


@dataclass(frozen=True)
class JobModel:
    """The model that served a job."""

    name: str
    version: int
    sha256: str


@dataclass(frozen=True)
class JobTimings:
    """Milliseconds; ``total_ms`` from creation to completion."""

    queued_ms: float
    decode_ms: float
    inference_ms: float
    encode_ms: float
    total_ms: float


@dataclass(frozen=True)
class Job:
    """An enhancement job; ``completed`` and ``failed`` are final. ``progress`` from 0 to 1."""

    id: str
    status: str
    operation: str
    level: str
    source_url: str
    result_url: Optional[str]
    result: Optional[JobResult]
    error: Optional[JobError]
    progress: float
    attempts: int
    model: Optional[JobModel]
    device: Optional[str]
    timings: Optional[JobTimings]
    metadata: Mapping[str, str]
    created_at: datetime
    started_at: Optional[datetime]
    completed_at: Optional[datetime]
    raw: Json = field(repr=False, compare=False)

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status in ("completed", "failed")

    @classmethod
    def from_json(cls, data: Json) -> "Job":
        """Reads the JSON of the service."""
        result, error, model, timings = (data.get(name) for name in ("result", "error", "model", "timings"))
        return cls(
            id=data["id"],
            status=data["status"],
            operation=data["operation"],
            level=data["level"],
            source_url=data["sourceUrl"],
            result_url=data.get("resultUrl"),
            result=None if result is None else JobResult.from_json(result),
            error=None if error is None else JobError(error["code"], error["message"], error["retryable"]),
            progress=data["progress"],
            attempts=data["attempts"],
            model=None if model is None else JobModel(model["name"], model["version"], model["sha256"]),
            device=data.get("device"),
            timings=None
            if timings is None
            else JobTimings(
                timings["queuedMs"],
                timings["decodeMs"],
                timings["inferenceMs"],
                timings["encodeMs"],
                timings["totalMs"],
            ),
            metadata=data.get("metadata") or {},
            created_at=parse_time(data["createdAt"]),
            started_at=_time(data.get("startedAt")),
            completed_at=_time(data.get("completedAt")),
            raw=data,
        )


@dataclass(frozen=True)
class JobState:
    """How far a job is; ``queue_position``: jobs before it, plus one, while it is queued and if the service says so."""

    job: Job
    queue_position: Optional[int]


@dataclass(frozen=True)
class Operation:
    """Something the service can do; ``scales``: result pixels per source pixel along each axis, by level."""

    operation: str
    description: str
    levels: List[str]
    scales: Mapping[str, int]
    produces_alpha: bool
    model: JobModel
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Operation":
        """Reads the JSON of the service."""
        model = data["model"]
        return cls(
            operation=data["operation"],
            description=data["description"],
            levels=list(data["levels"]),
            scales=data["scales"],
            produces_alpha=data["producesAlpha"],
            model=JobModel(model["name"], model["version"], model["sha256"]),
            raw=data,
        )


@dataclass(frozen=True)
class Usage:
    """The account's plan, its limits and what is used of them."""

    plan: str
    period: str
    requests_per_minute_limit: int
    enhancements_limit: int
    enhancements_used: int
    enhancements_remaining: int
    enhancements_reset_at: datetime
    storage_limit_bytes: int
    storage_used_bytes: int
    storage_remaining_bytes: int
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Usage":
        """Reads the JSON of the service."""
        enhancements, storage = data["enhancements"], data["storage"]
        return cls(
            plan=data["plan"],
            period=data["period"],
            requests_per_minute_limit=data["requestsPerMinute"]["limit"],
            enhancements_limit=enhancements["limit"],
            enhancements_used=enhancements["used"],
            enhancements_remaining=enhancements["remaining"],
            enhancements_reset_at=parse_time(enhancements["resetsAt"]),
            storage_limit_bytes=storage["limitBytes"],
            storage_used_bytes=storage["usedBytes"],
            storage_remaining_bytes=storage["remainingBytes"],
            raw=data,
        )


@dataclass(frozen=True)
class Endpoint:
    """An address that events are sent to; ``secret`` only right after it was created or rotated."""

    id: str
    url: str
    events: List[str]
    description: Optional[str]
    metadata: Mapping[str, str]
    enabled: bool
    disabled_reason: Optional[str]
    secret: Optional[str] = field(repr=False)
    created_at: datetime
    updated_at: datetime
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Endpoint":
        """Reads the JSON of the service."""
        return cls(
            id=data["id"],
            url=data["url"],
            events=list(data["events"]),
            description=data.get("description"),
            metadata=data.get("metadata") or {},
            enabled=data["enabled"],
            disabled_reason=data.get("disabledReason"),
            secret=data.get("secret"),
            created_at=parse_time(data["createdAt"]),
            updated_at=parse_time(data["updatedAt"]),
            raw=data,
        )


@dataclass(frozen=True)
class Attempt:
    """One attempt at a delivery; ``response_status`` is None when there was no answer, ``error`` says why."""

    number: int
    started_at: datetime
    duration_ms: int
    response_status: Optional[int]
    response_body: Optional[str]
    error: Optional[str]


@dataclass(frozen=True)
class Delivery:
    """An event on its way to an endpoint; ``status`` is ``pending``, ``succeeded`` or ``failed``."""

    id: str
    event_id: str
    event_type: str
    endpoint_id: str
    url: str
    status: str
    attempt_count: int
    next_attempt_at: Optional[datetime]
    created_at: datetime
    delivered_at: Optional[datetime]
    attempts: List[Attempt]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Delivery":
        """Reads the JSON of the service."""
        return cls(
            id=data["id"],
            event_id=data["eventId"],
            event_type=data["eventType"],
            endpoint_id=data["endpointId"],
            url=data["url"],
            status=data["status"],
            attempt_count=data["attemptCount"],
            next_attempt_at=_time(data.get("nextAttemptAt")),
            created_at=parse_time(data["createdAt"]),
            delivered_at=_time(data.get("deliveredAt")),
            attempts=[
                Attempt(
                    number=attempt["number"],
                    started_at=parse_time(attempt["startedAt"]),
                    duration_ms=attempt["durationMs"],
                    response_status=attempt.get("responseStatus"),
                    response_body=attempt.get("responseBody"),
                    error=attempt.get("error"),
                )
                for attempt in data.get("attempts") or []
            ],
            raw=data,
        )


@dataclass(frozen=True)
class EventType:
    """A type of events; ``schema`` is the JSON Schema of the body, ``example`` a body."""

    type: str
    description: str
    alias_of: Optional[str]
    schema: Json
    example: Json

    @classmethod
    def from_json(cls, data: Json) -> "EventType":
        """Reads the JSON of the service."""
        return cls(data["type"], data["description"], data.get("aliasOf"), data["schema"], data["example"])


@dataclass(frozen=True)
class WebhookEvent:
    """The body of a webhook. ``id`` stays the same over all attempts: recognise by it what you have had.

    One of ``job``, ``upload`` and ``quota`` is set, by the type of the event; none for ``ping``.
    """

    id: str
    type: str
    created_at: datetime
    job: Optional[Job]
    upload: Optional[Source]
    quota: Optional[Json]
    data: Json

    @classmethod
    def from_json(cls, body: Json) -> "WebhookEvent":
        """Reads the JSON of a webhook."""
        data: Dict[str, Any] = body.get("data") or {}
        job, upload = data.get("job"), data.get("upload")
        return cls(
            id=body["id"],
            type=body["type"],
            created_at=parse_time(body["createdAt"]),
            job=None if job is None else Job.from_json(job),
            upload=None if upload is None else Source.from_json(upload),
            quota=data.get("quota"),
            data=data,
        )


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    data: List[T]
    has_more: bool
    next_cursor: Optional[str]
