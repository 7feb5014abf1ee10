"""Attempts whose outcome in the service is unknown."""

from __future__ import annotations

from ..errors import ApiError, QuotaExceededError
from .answers import Redirected


class UnacknowledgedAttempts:
    """Counts such attempts of one request."""

    def __init__(self) -> None:
        self._count = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def sent(self) -> None:
        """An attempt begins: its connection is open."""
        self._count += 1

    def failed(self, error: BaseException) -> None:
        """An attempt has failed."""
        if is_refusal(error):
            self._count -= 1

    def settle(self) -> None:
        """The outcome of every attempt is known."""
        self._count = 0


def is_refusal(error: BaseException) -> bool:
    """Whether the service itself stated that it did nothing. After a broken connection or a proxy's error, it
    may have acted.
    """
    if isinstance(error, Redirected):
        return True
    if not isinstance(error, ApiError) or error.code == "idempotency_in_progress":
        return False
    return error.status < 500 and error.status != 408


def is_verdict(error: BaseException) -> bool:
    """Whether a rejection also proves that no earlier attempt with the same idempotency key did anything.

    Rejections for too many requests, early data, an invalid key, or a missing scope prove nothing, because
    they occur before the idempotency key is checked. An ``idempotency_mismatch`` proves the opposite: another
    request with that key was accepted.
    """
    if not is_refusal(error) or not isinstance(error, ApiError) or error.status in (401, 425, 429):
        return False
    if error.code == "idempotency_mismatch":
        return False
    return error.status != 403 or isinstance(error, QuotaExceededError)
