"""Webhooks: where events are sent, what was sent, and the events."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional

from ._job_models import Job
from ._json import Json
from ._source_models import Source
from ._times import optional_time, parse_time


@dataclass(frozen=True)
class Endpoint:
    """An address that events are sent to; ``secret`` only right after it was created or rotated.

    ``failing_since``: the first failure since the last success. ``previous_secret_expires_at``: until when a secret that
    was replaced signs beside the one in force.
    """

    id: str
    url: str
    events: List[str]
    description: Optional[str]
    metadata: Mapping[str, str]
    enabled: bool
    disabled_reason: Optional[str]
    failing_since: Optional[datetime]
    last_failure_at: Optional[datetime]
    previous_secret_expires_at: Optional[datetime]
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
            failing_since=optional_time(data.get("failingSince")),
            last_failure_at=optional_time(data.get("lastFailureAt")),
            previous_secret_expires_at=optional_time(data.get("previousSecretExpiresAt")),
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
            next_attempt_at=optional_time(data.get("nextAttemptAt")),
            created_at=parse_time(data["createdAt"]),
            delivered_at=optional_time(data.get("deliveredAt")),
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
