"""Everything this library raises. ``code`` tells one error from another."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, List, Mapping, Optional

from ._models.times import parse_time

if TYPE_CHECKING:
    from ._models.generated import Job


class ImageEnhancementError(Exception):
    """The parent of all errors of this library.

    ``idempotency_key`` is that of a call that was to create something, else None. When no answer came, nobody knows
    whether it did: the same call with this key goes on with what there is, and creates it if there is nothing.
    ``job_id`` is the job that it happened with, if one is known; ``jobs.wait`` and ``result`` find it.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.idempotency_key: Optional[str] = None
        self.job_id: Optional[str] = None


class ApiError(ImageEnhancementError):
    """The service answered with an error.

    ``status`` is the HTTP status, ``request_id`` what to quote when you ask for help (None when something
    between here and the service answered), ``problem`` the whole problem document (RFC 9457).
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
        """Every field that was wrong, for ``invalid_request``."""
        return list(self.problem.get("errors") or [])


class AuthenticationError(ApiError):
    """The API key is missing, unknown, revoked or expired (401)."""


class PermissionDeniedError(ApiError):
    """The key lacks a scope (403)."""

    @property
    def required_scopes(self) -> List[str]:
        """Any one of these is needed."""
        return list(self.problem.get("requiredScopes") or [])


class QuotaExceededError(ApiError):
    """The monthly enhancements or the storage of the account are used up (403)."""

    @property
    def quota(self) -> Optional[str]:
        """``enhancements`` or ``storage``."""
        return self.problem.get("quota")

    @property
    def limit(self) -> Optional[int]:
        """Enhancements a month, or bytes."""
        return self.problem.get("limit")

    @property
    def used(self) -> Optional[int]:
        """How much of the limit is used."""
        return self.problem.get("used")

    @property
    def resets_at(self) -> Optional[datetime]:
        """When there is room again; None when only deleting or upgrading helps."""
        text = self.problem.get("resetsAt")
        return None if text is None else parse_time(text)

    @property
    def upgrade(self) -> Optional[Mapping[str, Any]]:
        """The next plan that has room: ``plan`` and ``url``."""
        return self.problem.get("upgrade")


class RateLimitError(ApiError):
    """Too many requests (429), and waiting as the service asked did not help in the time there was."""


class InvalidRequestError(ApiError):
    """Something in the request is wrong (400, or 422 for an idempotency key that was used for something else)."""


class InvalidImageError(ApiError):
    """The file is no image that the service can work on: type, size, pixels, damage (413, 415, 422)."""


class NotFoundError(ApiError):
    """There is no such thing in this account (404)."""


class GoneError(ApiError):
    """It was deleted, or its time is over (410)."""


class ConflictError(ApiError):
    """It cannot be done in the state that things are in (409)."""


class ServiceError(ApiError):
    """The service failed or is full (5xx), also after trying again."""


class ConnectionFailedError(ImageEnhancementError):
    """No answer came: the service cannot be reached, or the connection broke. ``__cause__`` says more."""

    def __init__(self, message: str) -> None:
        super().__init__("connection_failed", message)


class WaitTimeoutError(ImageEnhancementError):
    """It took longer than you allowed. ``job_id`` names the job, if it is known; the message says whether it goes on."""

    def __init__(self, message: str, job_id: Optional[str] = None) -> None:
        super().__init__("timeout", message)
        self.job_id = job_id


class JobFailedError(ImageEnhancementError):
    """The job has failed or was canceled. It cost nothing."""

    def __init__(self, job: "Job") -> None:
        code = "processing_failed" if job.error is None else job.error.code
        text = "The job has failed." if job.error is None else job.error.message
        super().__init__(code, f"{text} (job {job.id})")
        self.job = job
        self.job_id = job.id
        self.retryable = False if job.error is None else job.error.retryable


class WebhookSignatureError(ImageEnhancementError):
    """A webhook's signature does not hold; ``code`` says why.

    One of ``missing_header``, ``malformed_header``, ``signature_mismatch``, ``stale_timestamp``,
    ``future_timestamp``, ``malformed_body``.
    """
