"""What the service answers. Made from the OpenAPI document by ``npm run docs:sync``. Do not edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import List, Mapping, Optional, Union

from .json import Json
from .mixins import BatchEnding, Ending
from .times import optional_time, parse_time


@dataclass(frozen=True)
class JobCrop:
    """The part of a picture that a result shows, in pixels."""

    x: int
    """May be negative: the result reaches beyond the picture."""
    y: int
    width: int
    height: int

    @classmethod
    def from_json(cls, data: Json) -> "JobCrop":
        """Reads the JSON of the service."""
        return cls(
            x=data["x"],
            y=data["y"],
            width=data["width"],
            height=data["height"],
        )


@dataclass(frozen=True)
class AppliedShadow:
    """A shadow, in pixels."""

    opacity: float
    blur_pixels: float
    offset_x_pixels: float
    offset_y_pixels: float

    @classmethod
    def from_json(cls, data: Json) -> "AppliedShadow":
        """Reads the JSON of the service."""
        return cls(
            opacity=data["opacity"],
            blur_pixels=data["blurPixels"],
            offset_x_pixels=data["offsetXPixels"],
            offset_y_pixels=data["offsetYPixels"],
        )


@dataclass(frozen=True)
class AppliedOutput:
    """What was done to a result besides its operations."""

    crop: Optional[JobCrop]
    """The part of the picture that the result shows."""
    shadow: Optional[AppliedShadow]
    background: Optional[str]
    kind: str
    quality: Optional[int]
    """Quality setting of the encoder; absent for PNG."""
    metadata: str
    digital_source_type: Optional[str]
    """The IPTC digital source type in the XMP metadata."""
    confidence: Optional[float]
    """For ``bg_remove``: how sure the model is about what belongs to the subject."""

    @classmethod
    def from_json(cls, data: Json) -> "AppliedOutput":
        """Reads the JSON of the service."""
        return cls(
            crop=None if data.get("crop") is None else JobCrop.from_json(data["crop"]),
            shadow=None if data.get("shadow") is None else AppliedShadow.from_json(data["shadow"]),
            background=data.get("background"),
            kind=data["kind"],
            quality=data.get("quality"),
            metadata=data["metadata"],
            digital_source_type=data.get("digitalSourceType"),
            confidence=data.get("confidence"),
        )


@dataclass(frozen=True)
class JobShadow:
    """A shadow; lengths are shares of the subject's longer side."""

    opacity: float
    blur: float
    offset_x: float
    offset_y: float

    @classmethod
    def from_json(cls, data: Json) -> "JobShadow":
        """Reads the JSON of the service."""
        return cls(
            opacity=data["opacity"],
            blur=data["blur"],
            offset_x=data["offsetX"],
            offset_y=data["offsetY"],
        )


@dataclass(frozen=True)
class JobResult:
    """The result of a completed job."""

    format: str
    width: int
    height: int
    bytes: int
    sha256: str
    expires_at: datetime
    """When the result pixels are erased."""
    applied: Optional[AppliedOutput]
    """What was done to the result besides its operations. Absent for results of earlier versions."""

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
            applied=None if data.get("applied") is None else AppliedOutput.from_json(data["applied"]),
        )


@dataclass(frozen=True)
class JobError:
    """Why a job has failed."""

    code: str
    message: str
    retryable: bool
    """Whether the same job may succeed when it is created again."""

    @classmethod
    def from_json(cls, data: Json) -> "JobError":
        """Reads the JSON of the service."""
        return cls(
            code=data["code"],
            message=data["message"],
            retryable=data["retryable"],
        )


@dataclass(frozen=True)
class JobOutput:
    """What becomes of the result; options are None unless requested. ``background`` is a color (#rrggbb)
    or a mapping."""

    format: str
    quality: Optional[int]
    background: Optional[Union[str, Json]]
    """A color, or the upload behind the subject."""
    crop: Optional[str]
    padding: Optional[float]
    shadow: Optional[JobShadow]
    kind: Optional[str]
    max_bytes: Optional[int]
    metadata: Optional[str]
    provenance: Optional[bool]

    @classmethod
    def from_json(cls, data: Json) -> "JobOutput":
        """Reads the JSON of the service."""
        return cls(
            format=data["format"],
            quality=data.get("quality"),
            background=data.get("background"),
            crop=data.get("crop"),
            padding=data.get("padding"),
            shadow=None if data.get("shadow") is None else JobShadow.from_json(data["shadow"]),
            kind=data.get("kind"),
            max_bytes=data.get("maxBytes"),
            metadata=data.get("metadata"),
            provenance=data.get("provenance"),
        )


@dataclass(frozen=True)
class JobModel:
    """The model that served a job."""

    name: str
    version: int
    sha256: str

    @classmethod
    def from_json(cls, data: Json) -> "JobModel":
        """Reads the JSON of the service."""
        return cls(
            name=data["name"],
            version=data["version"],
            sha256=data["sha256"],
        )


@dataclass(frozen=True)
class JobTimings:
    """Durations in milliseconds."""

    queued_ms: float
    decode_ms: float
    inference_ms: float
    encode_ms: float
    total_ms: float
    """From creation to completion."""

    @classmethod
    def from_json(cls, data: Json) -> "JobTimings":
        """Reads the JSON of the service."""
        return cls(
            queued_ms=data["queuedMs"],
            decode_ms=data["decodeMs"],
            inference_ms=data["inferenceMs"],
            encode_ms=data["encodeMs"],
            total_ms=data["totalMs"],
        )


@dataclass(frozen=True)
class JobOperationTimings:
    """Durations in milliseconds."""

    inference_ms: float

    @classmethod
    def from_json(cls, data: Json) -> "JobOperationTimings":
        """Reads the JSON of the service."""
        return cls(
            inference_ms=data["inferenceMs"],
        )


@dataclass(frozen=True)
class JobOperation:
    """One operation of a job, with what served it."""

    operation: str
    level: str
    strength: Optional[float]
    """If it was chosen in place of the strength of the level."""
    width: Optional[int]
    """The exact size of its result, if one was chosen."""
    height: Optional[int]
    fit: Optional[str]
    mask_source_url: Optional[str]
    model: Optional[JobModel]
    timings: Optional[JobOperationTimings]

    @classmethod
    def from_json(cls, data: Json) -> "JobOperation":
        """Reads the JSON of the service."""
        return cls(
            operation=data["operation"],
            level=data["level"],
            strength=data.get("strength"),
            width=data.get("width"),
            height=data.get("height"),
            fit=data.get("fit"),
            mask_source_url=(data.get("mask") or {}).get("sourceUrl"),
            model=None if data.get("model") is None else JobModel.from_json(data["model"]),
            timings=None if data.get("timings") is None else JobOperationTimings.from_json(data["timings"]),
        )


@dataclass(frozen=True)
class Job(Ending):
    """An enhancement job. ``progress`` is from 0 to 1."""

    id: str
    livemode: Optional[bool]
    """False for a job of test mode."""
    status: str
    """``completed`` and ``failed`` are final."""
    operation: str
    """The first of ``operations``."""
    level: str
    """Level of the first of ``operations``."""
    operations: List[JobOperation]
    """Every operation in order, each with its model and time once the job is completed."""
    preset: Optional[str]
    """The preset that the request named, as it was at that time: ``operations`` says what the job does.
    Only when it named one."""
    source_url: str
    result_url: Optional[str]
    """Only when completed. Each read returns a newly signed URL."""
    result: Optional[JobResult]
    """Only when completed."""
    error: Optional[JobError]
    output: JobOutput
    progress: float
    attempts: int
    model: Optional[JobModel]
    cached: Optional[bool]
    """Only when the job got the result of an earlier, equal one. It cost no enhancement; ``model`` and
    ``device`` are those that made the result."""
    callback_url: Optional[str]
    """Is called when the job has ended. Only when the request named one."""
    cancel_at: Optional[datetime]
    """When the job is canceled if it has not ended. Only when the request set ``cancelAfter``."""
    retention: Optional[str]
    """``deliver``: the pixels of result and source are erased once the result was sent."""
    device: Optional[str]
    precision: Optional[str]
    """The lowest precision that its networks computed with. Missing before the job has completed, and when
    an inference server ran all of them."""
    timings: Optional[JobTimings]
    metadata: Mapping[str, str]
    batch_id: Optional[str]
    """The batch that the job belongs to. Only for jobs of a batch."""
    batch_index: Optional[int]
    """Position in the ``sourceUrls`` of the batch, from 0. Only for jobs of a batch."""
    created_at: datetime
    started_at: Optional[datetime]
    completed_at: Optional[datetime]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Job":
        """Reads the JSON of the service."""
        return cls(
            id=data["id"],
            livemode=data.get("livemode"),
            status=data["status"],
            operation=data["operation"],
            level=data["level"],
            operations=[JobOperation.from_json(each) for each in data.get("operations") or []],
            preset=data.get("preset"),
            source_url=data["sourceUrl"],
            result_url=data.get("resultUrl"),
            result=None if data.get("result") is None else JobResult.from_json(data["result"]),
            error=None if data.get("error") is None else JobError.from_json(data["error"]),
            output=JobOutput.from_json(data["output"]),
            progress=data["progress"],
            attempts=data["attempts"],
            model=None if data.get("model") is None else JobModel.from_json(data["model"]),
            cached=data.get("cached"),
            callback_url=data.get("callbackUrl"),
            cancel_at=optional_time(data.get("cancelAt")),
            retention=data.get("retention"),
            device=data.get("device"),
            precision=data.get("precision"),
            timings=None if data.get("timings") is None else JobTimings.from_json(data["timings"]),
            metadata=data.get("metadata") or {},
            batch_id=data.get("batchId"),
            batch_index=data.get("batchIndex"),
            created_at=parse_time(data["createdAt"]),
            started_at=optional_time(data.get("startedAt")),
            completed_at=optional_time(data.get("completedAt")),
            raw=data,
        )


@dataclass(frozen=True)
class BatchCounts:
    """How many items of a batch are in each state."""

    total: int
    """All items of the batch."""
    queued: int
    processing: int
    completed: int
    failed: int
    """Without canceled items."""
    canceled: int

    @classmethod
    def from_json(cls, data: Json) -> "BatchCounts":
        """Reads the JSON of the service."""
        return cls(
            total=data["total"],
            queued=data["queued"],
            processing=data["processing"],
            completed=data["completed"],
            failed=data["failed"],
            canceled=data["canceled"],
        )


@dataclass(frozen=True)
class BatchFailure:
    """A failed item of a batch."""

    index: int
    """Position in ``sourceUrls``, from 0."""
    job_id: str
    source_url: str
    error: JobError

    @classmethod
    def from_json(cls, data: Json) -> "BatchFailure":
        """Reads the JSON of the service."""
        return cls(
            index=data["index"],
            job_id=data["jobId"],
            source_url=data["sourceUrl"],
            error=JobError.from_json(data["error"]),
        )


@dataclass(frozen=True)
class SkippedItem:
    """An item of a batch that got no job."""

    index: int
    """Position in ``sourceUrls``, from 0."""
    source_url: str
    reason: str
    """Why: a code of the error table."""

    @classmethod
    def from_json(cls, data: Json) -> "SkippedItem":
        """Reads the JSON of the service."""
        return cls(
            index=data["index"],
            source_url=data["sourceUrl"],
            reason=data["reason"],
        )


@dataclass(frozen=True)
class Batch(BatchEnding):
    """The same request for several sources. ``failures`` is set by ``batches.get``, ``skipped`` by
    ``create`` and ``retry``."""

    id: str
    livemode: Optional[bool]
    """False for a batch of test mode."""
    status: str
    """``completed``: every item has ended; ``counts`` shows the outcomes. ``canceled``: it was canceled,
    and every item has ended. Both are final until a retry."""
    counts: BatchCounts
    percent: int
    """How many of the items have ended, rounded down."""
    operation: str
    """The first operation of every job."""
    level: str
    """Level of the first operation."""
    preset: Optional[str]
    """The preset that the request named. Only when it named one."""
    callback_url: Optional[str]
    """Is called when every item has ended. Only when the request named one."""
    metadata: Mapping[str, str]
    """Copied to every job of the batch."""
    created_at: datetime
    completed_at: Optional[datetime]
    """When the last item ended; null while some have not."""
    failures: List[BatchFailure]
    """The first 100 failed items, in order, without canceled ones. ``GET …/jobs?status=failed`` has all of
    them."""
    skipped: List[SkippedItem]
    """The items for which no job was created. Empty unless ``onQuota`` is ``partial``."""
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Batch":
        """Reads the JSON of the service."""
        return cls(
            id=data["id"],
            livemode=data.get("livemode"),
            status=data["status"],
            counts=BatchCounts.from_json(data["counts"]),
            percent=data["percent"],
            operation=data["operation"],
            level=data["level"],
            preset=data.get("preset"),
            callback_url=data.get("callbackUrl"),
            metadata=data.get("metadata") or {},
            created_at=parse_time(data["createdAt"]),
            completed_at=optional_time(data.get("completedAt")),
            failures=[BatchFailure.from_json(each) for each in data.get("failures") or []],
            skipped=[SkippedItem.from_json(each) for each in data.get("skipped") or []],
            raw=data,
        )


@dataclass(frozen=True)
class BatchDryRun:
    """What a batch would do. Nothing was created."""

    dry_run: bool
    operation: str
    """The first operation of every job."""
    level: str
    """Level of the first operation."""
    preset: Optional[str]
    """Only when the request named a preset."""
    total: int
    """Jobs that would be created."""
    cost: int
    """Enhancements that they would take from the plan."""
    cached: int
    """Jobs that would be completed at once with the result of an equal earlier job. They cost nothing."""
    estimated_seconds: Optional[float]
    """From creation to the end of the last item, with all workers that serve now. An estimate. Null while
    no worker serves."""
    skipped: List[SkippedItem]
    """The items that would get no job. Empty unless ``onQuota`` is ``partial``."""
    quota_remaining: int
    """Enhancements that remain this month, before the cost of this job."""
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "BatchDryRun":
        """Reads the JSON of the service."""
        return cls(
            dry_run=data["dryRun"],
            operation=data["operation"],
            level=data["level"],
            preset=data.get("preset"),
            total=data["total"],
            cost=data["cost"],
            cached=data["cached"],
            estimated_seconds=data.get("estimatedSeconds"),
            skipped=[SkippedItem.from_json(each) for each in data.get("skipped") or []],
            quota_remaining=data["quota"]["remaining"],
            raw=data,
        )


@dataclass(frozen=True)
class DryRun:
    """What a job would do. Nothing was created."""

    dry_run: bool
    operation: str
    level: str
    output: JobOutput
    """With all defaults resolved."""
    cost: int
    """Enhancements that the job would take from the plan."""
    cached: Optional[bool]
    """Only when the job would get the result of an equal one."""
    estimated_seconds: Optional[float]
    """From creation to completion: waiting behind other jobs, and the work itself at its recent speed. An
    estimate. Null while no worker serves."""
    result_format: str
    result_width: int
    """Pixels."""
    result_height: int
    """Pixels."""
    quota_remaining: int
    """Enhancements that remain this month, before the cost of this job."""
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "DryRun":
        """Reads the JSON of the service."""
        return cls(
            dry_run=data["dryRun"],
            operation=data["operation"],
            level=data["level"],
            output=JobOutput.from_json(data["output"]),
            cost=data["cost"],
            cached=data.get("cached"),
            estimated_seconds=data.get("estimatedSeconds"),
            result_format=data["result"]["format"],
            result_width=data["result"]["width"],
            result_height=data["result"]["height"],
            quota_remaining=data["quota"]["remaining"],
            raw=data,
        )


@dataclass(frozen=True)
class Source:
    """An uploaded image; ``url`` is what jobs are made from."""

    id: str
    url: str
    """Use it as ``sourceUrl``. Anyone who has it can read the file until ``exp``. An API key of the
    account always can."""
    format: str
    width: int
    """Pixels, after the EXIF orientation is applied."""
    height: int
    bytes: int
    sha256: str
    """SHA-256 of the uploaded bytes, hex."""
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
class Operation:
    """An operation that the service offers."""

    operation: str
    description: str
    levels: List[str]
    scales: Mapping[str, int]
    """Result pixels per source pixel along each axis, by level."""
    produces_alpha: bool
    """The result has an alpha channel whatever the source had."""
    strengths: Optional[Mapping[str, float]]
    """Strength of each level, from 0 to 1. Present if a job can ask for another ``strength``."""
    model: JobModel
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Operation":
        """Reads the JSON of the service."""
        return cls(
            operation=data["operation"],
            description=data["description"],
            levels=list(data["levels"]),
            scales=data.get("scales") or {},
            produces_alpha=data["producesAlpha"],
            strengths=data.get("strengths"),
            model=JobModel.from_json(data["model"]),
            raw=data,
        )


@dataclass(frozen=True)
class Usage:
    """The account's plan, its limits and what is used of them."""

    plan: str
    period: str
    """The month the enhancements count in."""
    requests_per_minute_limit: int
    """Requests per minute of each key."""
    enhancements_limit: int
    """Enhancements a calendar month (UTC), shared by all keys."""
    enhancements_used: int
    """Completed and still running jobs of this month."""
    enhancements_remaining: int
    enhancements_reset_at: datetime
    """When the next month begins."""
    storage_limit_bytes: int
    storage_used_bytes: int
    """Bytes of kept sources and results."""
    storage_remaining_bytes: int
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Usage":
        """Reads the JSON of the service."""
        return cls(
            plan=data["plan"],
            period=data["period"],
            requests_per_minute_limit=data["requestsPerMinute"]["limit"],
            enhancements_limit=data["enhancements"]["limit"],
            enhancements_used=data["enhancements"]["used"],
            enhancements_remaining=data["enhancements"]["remaining"],
            enhancements_reset_at=parse_time(data["enhancements"]["resetsAt"]),
            storage_limit_bytes=data["storage"]["limitBytes"],
            storage_used_bytes=data["storage"]["usedBytes"],
            storage_remaining_bytes=data["storage"]["remainingBytes"],
            raw=data,
        )


@dataclass(frozen=True)
class Endpoint:
    """An address that events are sent to; ``secret`` is set only after creation and rotation."""

    id: str
    url: str
    events: List[str]
    description: Optional[str]
    metadata: Mapping[str, str]
    enabled: bool
    disabled_reason: Optional[str]
    """Null while it is enabled. One of ``manual``, ``gone``, ``failing``: you disabled it; it responded
    with 410; every delivery failed for days."""
    failing_since: Optional[datetime]
    """The first failure since the last success."""
    last_failure_at: Optional[datetime]
    previous_secret_expires_at: Optional[datetime]
    """Until when a replaced secret signs beside the one in force."""
    secret: Optional[str] = field(repr=False)
    """Signs every delivery. Shown only here."""
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
class CallbackSecret:
    """The secret that signs calls to callback URLs; ``secret`` is set only after rotation."""

    created_at: Optional[datetime]
    """When the account got its first callback secret; null before that."""
    previous_secret_expires_at: Optional[datetime]
    """Until when a replaced secret signs beside the one in force."""
    secret: Optional[str] = field(repr=False)
    """Signs every callback of the account. Shown only here."""
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "CallbackSecret":
        """Reads the JSON of the service."""
        return cls(
            created_at=optional_time(data.get("createdAt")),
            previous_secret_expires_at=optional_time(data.get("previousSecretExpiresAt")),
            secret=data.get("secret"),
            raw=data,
        )


@dataclass(frozen=True)
class Attempt:
    """One attempt at a delivery."""

    number: int
    started_at: datetime
    duration_ms: int
    response_status: Optional[int]
    """Null when there was no response."""
    response_body: Optional[str]
    """The first 4 kB of it."""
    error: Optional[str]
    """Why there was no response, or only part of one."""

    @classmethod
    def from_json(cls, data: Json) -> "Attempt":
        """Reads the JSON of the service."""
        return cls(
            number=data["number"],
            started_at=parse_time(data["startedAt"]),
            duration_ms=data["durationMs"],
            response_status=data.get("responseStatus"),
            response_body=data.get("responseBody"),
            error=data.get("error"),
        )


@dataclass(frozen=True)
class Delivery:
    """An event on its way to an endpoint."""

    id: str
    event_id: str
    event_type: str
    endpoint_id: str
    url: str
    """Where the latest attempt went, or the next goes."""
    status: str
    attempt_count: int
    next_attempt_at: Optional[datetime]
    """Null unless pending."""
    created_at: datetime
    delivered_at: Optional[datetime]
    attempts: List[Attempt]
    """Oldest first."""
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
            attempts=[Attempt.from_json(each) for each in data.get("attempts") or []],
            raw=data,
        )


@dataclass(frozen=True)
class EventType:
    """A type of event."""

    type: str
    description: str
    alias_of: Optional[str]
    """The type that it is sent together with; null if the type is not an alias."""
    schema: Json
    """JSON Schema (2020-12) of the body."""
    example: Json
    """A body."""

    @classmethod
    def from_json(cls, data: Json) -> "EventType":
        """Reads the JSON of the service."""
        return cls(
            type=data["type"],
            description=data["description"],
            alias_of=data.get("aliasOf"),
            schema=data["schema"],
            example=data["example"],
        )
