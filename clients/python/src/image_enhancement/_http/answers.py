"""Answers of the service, and the typed errors among them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPMessage
from typing import Any, Callable, Dict, Optional, Type, TypeVar

from ..errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    GoneError,
    InvalidImageError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    QuotaExceededError,
    RateLimitError,
    ServiceError,
)

T = TypeVar("T")

_BY_CODE: Dict[str, Type[ApiError]] = {
    "quota_exceeded": QuotaExceededError,
    "payload_too_large": InvalidImageError,
    "unsupported_media_type": InvalidImageError,
    "undecodable_image": InvalidImageError,
    "animated_image": InvalidImageError,
    "too_many_pixels": InvalidImageError,
}
_BY_STATUS: Dict[int, Type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    413: InvalidImageError,
    415: InvalidImageError,
    422: InvalidRequestError,
    429: RateLimitError,
}


@dataclass(frozen=True)
class Answer:
    """A whole answer of success."""

    status: int
    headers: HTTPMessage
    body: bytes

    def json(self) -> Any:
        """The body, parsed. Raises ConnectionFailedError when it is none, as from something else at this address."""
        try:
            return json.loads(self.body.decode("utf-8"))
        except ValueError as error:
            raise ConnectionFailedError("The answer is no JSON: is this the address of the service?") from error


    def read(self, parse: Callable[[Any], T]) -> T:
        """What the JSON says. Raises ConnectionFailedError when it is something else than the service says."""
        return read(self.json(), parse)


def read(data: Any, parse: Callable[[Any], T]) -> T:
    """What the JSON says. Raises ConnectionFailedError when it is something else than the service says."""
    try:
        return parse(data)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise ConnectionFailedError(
            "The answer is JSON, but not what the service says: is this the address of the service?"
        ) from error


def error_of(status: int, headers: HTTPMessage, body: bytes) -> ApiError:
    """The typed error of an answer: by its code, else by its status."""
    problem = _problem(body)
    kind = _BY_CODE.get(str(problem.get("code"))) or _BY_STATUS.get(status)
    if kind is None:
        kind = ServiceError if status >= 500 else ApiError
    request_id = problem.get("requestId") or headers.get("x-request-id")
    return kind(status, problem, request_id, retry_after_seconds(headers))


def retry_after_seconds(headers: HTTPMessage) -> Optional[float]:
    """``Retry-After`` in seconds. A date counts from the answer's own ``Date``: this machine's clock may be wrong."""
    text = (headers.get("retry-after") or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        until = parsedate_to_datetime(text)
        now = parsedate_to_datetime(headers.get("date") or "")
        return max(0.0, (until - now).total_seconds())
    except (TypeError, ValueError, IndexError):
        return None


def _problem(body: bytes) -> Dict[str, Any]:
    """Proxies answer in HTML or not at all: then there is nothing to tell but the status."""
    try:
        parsed = json.loads(body.decode("utf-8"))
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
