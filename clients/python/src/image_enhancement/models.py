"""What the service answers, as frozen dataclasses. Fields of newer services are kept in ``raw``.

The public place of all of them.
"""

from ._models.event import WebhookEvent
from ._models.generated import (
    AppliedOutput,
    AppliedShadow,
    Attempt,
    Batch,
    BatchCounts,
    BatchDryRun,
    BatchFailure,
    CallbackSecret,
    Delivery,
    DryRun,
    Endpoint,
    EventType,
    Job,
    JobCrop,
    JobError,
    JobModel,
    JobOperation,
    JobOperationTimings,
    JobOutput,
    JobResult,
    JobShadow,
    JobTimings,
    Operation,
    SkippedItem,
    Source,
    Usage,
)
from ._models.json import Json
from ._models.page import Page
from ._models.preset import Preset
from ._models.state import JobState
from ._models.times import format_time, parse_time

__all__ = [
    "AppliedOutput",
    "AppliedShadow",
    "Attempt",
    "Batch",
    "BatchCounts",
    "BatchDryRun",
    "BatchFailure",
    "CallbackSecret",
    "Delivery",
    "DryRun",
    "Endpoint",
    "EventType",
    "Job",
    "JobCrop",
    "JobError",
    "JobModel",
    "JobOperation",
    "JobOperationTimings",
    "JobOutput",
    "JobResult",
    "JobShadow",
    "JobState",
    "JobTimings",
    "Json",
    "Operation",
    "Page",
    "Preset",
    "SkippedItem",
    "Source",
    "Usage",
    "WebhookEvent",
    "format_time",
    "parse_time",
]
