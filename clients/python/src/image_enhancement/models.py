"""What the service answers, as frozen dataclasses. Fields of newer services are kept in ``raw``.

The public place of all of them; each kind has a file of its own.
"""

from ._account_models import Operation, Usage
from ._job_models import Job, JobError, JobModel, JobOutput, JobResult, JobState, JobTimings
from ._json import Json
from ._page import Page
from ._source_models import Source
from ._times import format_time, parse_time
from ._webhook_models import Attempt, Delivery, Endpoint, EventType, WebhookEvent

__all__ = [
    "Attempt",
    "Delivery",
    "Endpoint",
    "EventType",
    "Job",
    "JobError",
    "JobModel",
    "JobOutput",
    "JobResult",
    "JobState",
    "JobTimings",
    "Json",
    "Operation",
    "Page",
    "Source",
    "Usage",
    "WebhookEvent",
    "format_time",
    "parse_time",
]
