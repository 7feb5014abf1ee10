"""Client of the image enhancement service: upload, enhance, wait, webhooks.

>>> from image_enhancement import Client
>>> Client().enhance("photo.jpg", "upscale", level="high").save("big.jpg")  # doctest: +SKIP
"""

from ._files.inputs import FileInput, ImageInput
from ._version import __version__
from .aio import AsyncClient, AsyncResult
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
from .literals import JobStatus, Level, OperationName, Output, OutputFormat, Retention
from .models import (
    Attempt,
    Delivery,
    DryRun,
    Endpoint,
    EventType,
    Job,
    JobError,
    JobModel,
    JobOperation,
    JobOperationTimings,
    JobOutput,
    JobResult,
    JobState,
    JobTimings,
    Operation,
    Page,
    Source,
    Usage,
    WebhookEvent,
)
from .result import EnhanceResult
from .signatures import sign_test_header, verify_signature, verify_webhook
from .with_response import RateLimit, WithResponse

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncResult",
    "Attempt",
    "AuthenticationError",
    "Client",
    "ConflictError",
    "ConnectionFailedError",
    "Delivery",
    "DryRun",
    "Endpoint",
    "EnhanceResult",
    "EventType",
    "FileInput",
    "GoneError",
    "ImageEnhancementError",
    "ImageInput",
    "InvalidImageError",
    "InvalidRequestError",
    "Job",
    "JobError",
    "JobFailedError",
    "JobModel",
    "JobOperation",
    "JobOperationTimings",
    "JobOutput",
    "JobResult",
    "JobState",
    "JobStatus",
    "JobTimings",
    "Level",
    "NotFoundError",
    "Operation",
    "OperationName",
    "Output",
    "OutputFormat",
    "Page",
    "PermissionDeniedError",
    "QuotaExceededError",
    "RateLimit",
    "RateLimitError",
    "ServiceError",
    "Source",
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
