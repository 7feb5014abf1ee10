"""All errors of this library. ``code`` distinguishes them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, List, Mapping, Optional

from ._models.times import parse_time

if TYPE_CHECKING:
    from ._models.generated import Job


class ImageEnhancementError(Exception):
    """The base class of all errors of this library.

    ``idempotency_key`` is that of a call that creates something, otherwise None. Without a response, it is
    unknown whether the call succeeded. Repeat the call with this key to get what was created, or to create it
    now. ``job_id`` is the job that caused the error, if it is known. Pass it to ``jobs.wait`` or ``result``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.idempotency_key: Optional[str] = None
        self.job_id: Optional[str] = None


class ApiError(ImageEnhancementError):
    """The service responded with an error.

    ``status`` is the HTTP status. ``request_id`` identifies the request in support requests (None when an
    intermediary responded). ``problem`` is the whole problem document (RFC 9457).
    """

    def __init__(
        self,
        status: int,
        problem: Mapping[str, Any],
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        text = str(problem.get("detail") or problem.get("title") or f"The service answered {status}.")
        suffix = "" if request_id is None else f" (request {request_id})"
        super().__init__(str(problem.get("code") or f"http_{status}"), text + suffix)
        self.status = status
        self.problem = problem
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds

    @property
    def field_errors(self) -> List[Mapping[str, Any]]:
        """All invalid fields, for ``invalid_request``."""
        return list(self.problem.get("errors") or [])


class AuthenticationError(ApiError):
    """The API key is missing, unknown, revoked, or expired (401)."""


class PermissionDeniedError(ApiError):
    """The key lacks a scope (403)."""

    @property
    def required_scopes(self) -> List[str]:
        """The scopes of which at least one is required."""
        return list(self.problem.get("requiredScopes") or [])


class QuotaExceededError(ApiError):
    """The account's monthly enhancements or its storage are used up (403)."""

    @property
    def quota(self) -> Optional[str]:
        """``enhancements`` or ``storage``."""
        return self.problem.get("quota")

    @property
    def limit(self) -> Optional[int]:
        """Enhancements per month, or bytes."""
        return self.problem.get("limit")

    @property
    def used(self) -> Optional[int]:
        """How much of the limit is used."""
        return self.problem.get("used")

    @property
    def resets_at(self) -> Optional[datetime]:
        """When the quota resets; None when only deleting or upgrading helps."""
        text = self.problem.get("resetsAt")
        return None if text is None else parse_time(text)

    @property
    def upgrade(self) -> Optional[Mapping[str, Any]]:
        """The next plan with enough capacity: ``plan`` and ``url``."""
        return self.problem.get("upgrade")


class RateLimitError(ApiError):
    """Too many requests (429). Waiting as requested took longer than the maximum wait."""


class InvalidRequestError(ApiError):
    """The request is invalid (400, or 422 for an idempotency key that was used for a different request)."""


class InvalidImageError(ApiError):
    """The service cannot process the file: its type, size, pixels, or damage (413, 415, 422)."""


class NotFoundError(ApiError):
    """The account has no such resource (404)."""


class GoneError(ApiError):
    """The resource was deleted or has expired (410)."""


class ConflictError(ApiError):
    """The current state does not allow the request (409)."""


class ServiceError(ApiError):
    """The service failed or is overloaded (5xx), even after retries."""


class ConnectionFailedError(ImageEnhancementError):
    """There was no response: the service is unreachable, or the connection broke. See ``__cause__``."""

    def __init__(self, message: str) -> None:
        super().__init__("connection_failed", message)


class WaitTimeoutError(ImageEnhancementError):
    """The call took longer than its timeout. ``job_id`` is the job that continues, if one is known; a job that
    was canceled is named only in the message.
    """

    def __init__(self, message: str, job_id: Optional[str] = None) -> None:
        super().__init__("timeout", message)
        self.job_id = job_id


class JobFailedError(ImageEnhancementError):
    """The job has failed or was canceled. It was not charged."""

    def __init__(self, job: "Job") -> None:
        code = "processing_failed" if job.error is None else job.error.code
        text = "The job has failed." if job.error is None else job.error.message
        super().__init__(code, f"{text} (job {job.id})")
        self.job = job
        self.job_id = job.id
        self.retryable = False if job.error is None else job.error.retryable


class WebhookSignatureError(ImageEnhancementError):
    """The signature of a webhook is invalid. ``code`` gives the reason.

    One of ``missing_header``, ``malformed_header``, ``signature_mismatch``, ``stale_timestamp``,
    ``future_timestamp``, ``malformed_body``.
    """
