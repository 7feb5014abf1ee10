"""Responses of the service as frozen dataclasses. ``raw`` contains fields of newer services, too.

This is the public location of all models.
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
