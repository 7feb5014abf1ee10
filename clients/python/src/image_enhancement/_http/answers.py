"""Responses of the service, and their typed errors."""

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
    ImageEnhancementError,
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
    "hdr_image": InvalidImageError,
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
_PROXY_AUTHENTICATION_REQUIRED = 407
_REDIRECTS = (301, 302, 303, 307, 308)


class Redirected(ImageEnhancementError):
    """The response is a redirect. Only a download without the key follows it."""

    def __init__(self, base_url: str, location: Optional[str]) -> None:
        where = "elsewhere" if location is None else f"to {location}"
        super().__init__(
            "redirected",
            f"{base_url} redirects {where}. The key is not sent after it;"
            " give the right address as base_url (--url on the command line).",
        )
        self.location = location


@dataclass(frozen=True)
class Answer:
    """A complete, successful response."""

    status: int
    headers: HTTPMessage
    body: bytes

    def json(self) -> Any:
        """The parsed body. Raises ConnectionFailedError when it is not JSON, as from another server at this
        address.
        """
        try:
            return json.loads(self.body.decode("utf-8"))
        except ValueError as error:
            raise ConnectionFailedError("The answer is no JSON: is this the address of the service?") from error


    def read(self, parse: Callable[[Any], T]) -> T:
        """Reads the JSON with ``read``. Raises ConnectionFailedError when it does not have the expected form.
        """
        return read(self.json(), parse)


def read(data: Any, parse: Callable[[Any], T]) -> T:
    """Reads the JSON with ``read``. Raises ConnectionFailedError when it does not have the expected form."""
    try:
        return parse(data)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise ConnectionFailedError(
            "The answer is JSON, but not what the service says: is this the address of the service?"
        ) from error


def error_of(base_url: str, status: int, headers: HTTPMessage, body: bytes) -> ImageEnhancementError:
    """The typed error for a response: by its code, otherwise by its status."""
    if status in _REDIRECTS:
        return Redirected(base_url, headers.get("location"))
    if status == _PROXY_AUTHENTICATION_REQUIRED:
        return proxy_refusal()
    problem = _problem(body)
    kind = _BY_CODE.get(str(problem.get("code"))) or _BY_STATUS.get(status)
    if kind is None:
        kind = ServiceError if status >= 500 else ApiError
    request_id = problem.get("requestId") or headers.get("x-request-id")
    return kind(status, problem, request_id, retry_after_seconds(headers))


def proxy_refusal() -> ImageEnhancementError:
    """The error when a proxy requires credentials (407). The request did not reach the service."""
    return ImageEnhancementError(
        "invalid_proxy",
        "The proxy requires a valid user name and password. Set them in HTTP_PROXY or HTTPS_PROXY, in the form"
        " http://user:password@host:port.",
    )


def retry_after_seconds(headers: HTTPMessage) -> Optional[float]:
    """``Retry-After`` in seconds. A date is compared with the response's ``Date``, because the local clock
    may be wrong.
    """
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
    """Proxies respond with HTML or an empty body. Then only the status is known."""
    try:
        parsed = json.loads(body.decode("utf-8"))
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
