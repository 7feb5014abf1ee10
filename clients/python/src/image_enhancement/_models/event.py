"""The events in webhooks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, Optional

from .generated import Job, Source
from .json import Json
from .times import parse_time


@dataclass(frozen=True)
class WebhookEvent:
    """The body of a webhook. ``id`` is the same for all attempts: use it to detect duplicates.

    One of ``job``, ``upload``, and ``quota`` is set, depending on the type of the event; none for ``ping``.
    """

    id: str
    type: str
    livemode: Optional[bool]
    """False for what test keys made; None from a service that has none."""
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
            livemode=body.get("livemode"),
            created_at=parse_time(body["createdAt"]),
            job=None if job is None else Job.from_json(job),
            upload=None if upload is None else Source.from_json(upload),
            quota=data.get("quota"),
            data=data,
        )
