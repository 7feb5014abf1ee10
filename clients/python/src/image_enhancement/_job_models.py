"""Enhancement jobs."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Mapping, Optional

from ._json import Json
from ._times import optional_time, parse_time


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
class JobOutput:
    """How the result is, or will be, encoded; ``quality`` and ``background`` (#rrggbb) as they were asked for, else None."""

    format: str
    quality: Optional[int]
    background: Optional[str]

    @classmethod
    def from_json(cls, data: Json) -> "JobOutput":
        """Reads the JSON of the service."""
        return cls(data["format"], data.get("quality"), data.get("background"))


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
    output: JobOutput
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
            output=JobOutput.from_json(data["output"]),
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
            started_at=optional_time(data.get("startedAt")),
            completed_at=optional_time(data.get("completedAt")),
            raw=data,
        )


@dataclass(frozen=True)
class JobState:
    """How far a job is; ``queue_position``: jobs before it, plus one, while it is queued and if the service says so."""

    job: Job
    queue_position: Optional[int]
