"""Client of the image enhancement service: upload, enhance, wait, webhooks.

>>> from image_enhancement import Client
>>> Client().enhance("photo.jpg", "upscale", level="high").save("big.jpg")  # doctest: +SKIP
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

from ._files.inputs import FileInput, ImageInput
from ._files.sending import UploadProgress
from ._http.injected import HttpRequest, HttpResponse, HttpTransport
from ._version import __version__
from .client import Client
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    GoneError,
    ImageEnhancementError,
    InvalidImageError,
    InvalidRequestError,
    JobFailedError,
    NotFoundError,
    PermissionDeniedError,
    QuotaExceededError,
    RateLimitError,
    ServiceError,
    WaitTimeoutError,
    WebhookSignatureError,
)
from .literals import (
    BackgroundPicture,
    Fit,
    JobStatus,
    Level,
    Mask,
    MetadataMode,
    OperationName,
    Output,
    OutputFormat,
    OutputKind,
    QuotaChoice,
    Retention,
    Shadow,
)
from .models import (
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
    JobState,
    JobTimings,
    Operation,
    Page,
    Preset,
    SkippedItem,
    Source,
    Usage,
    WebhookEvent,
)
from .options import BatchOptions, DryRunOptions, JobOptions, Step, StepOptions
from .result import EnhanceResult
from .signatures import sign_test_header, verify_signature, verify_webhook
from .with_response import RateLimit, WithResponse

if TYPE_CHECKING:
    from .aio import AsyncClient, AsyncResult

__all__ = [
    "ApiError",
    "AppliedOutput",
    "AppliedShadow",
    "AsyncClient",
    "AsyncResult",
    "Attempt",
    "AuthenticationError",
    "BackgroundPicture",
    "Batch",
    "BatchCounts",
    "BatchDryRun",
    "BatchFailure",
    "BatchOptions",
    "CallbackSecret",
    "Client",
    "ConflictError",
    "ConnectionFailedError",
    "Delivery",
    "DryRun",
    "DryRunOptions",
    "Endpoint",
    "EnhanceResult",
    "EventType",
    "FileInput",
    "Fit",
    "GoneError",
    "HttpRequest",
    "HttpResponse",
    "HttpTransport",
    "ImageEnhancementError",
    "ImageInput",
    "InvalidImageError",
    "InvalidRequestError",
    "Job",
    "JobCrop",
    "JobError",
    "JobFailedError",
    "JobModel",
    "JobOperation",
    "JobOperationTimings",
    "JobOptions",
    "JobOutput",
    "JobResult",
    "JobShadow",
    "JobState",
    "JobStatus",
    "JobTimings",
    "Level",
    "Mask",
    "MetadataMode",
    "NotFoundError",
    "Operation",
    "OperationName",
    "Output",
    "OutputFormat",
    "OutputKind",
    "Page",
    "PermissionDeniedError",
    "Preset",
    "QuotaChoice",
    "QuotaExceededError",
    "RateLimit",
    "RateLimitError",
    "Retention",
    "ServiceError",
    "Shadow",
    "SkippedItem",
    "Source",
    "Step",
    "StepOptions",
    "UploadProgress",
    "Usage",
    "WaitTimeoutError",
    "WebhookEvent",
    "WebhookSignatureError",
    "WithResponse",
    "__version__",
    "sign_test_header",
    "verify_signature",
    "verify_webhook",
]

_OF_AIO = ("AsyncClient", "AsyncResult")


def __getattr__(name: str) -> Any:
    """Imports asyncio when it is first used. It takes a sixth of the CPU time that the package needs to start."""
    if name in _OF_AIO:
        return getattr(importlib.import_module(".aio", __name__), name)
    if name == "aio":
        return importlib.import_module(".aio", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted({*globals(), "aio", *_OF_AIO})
