"""Attempts of which nobody here knows whether the service did what they asked for."""

from __future__ import annotations

from ..errors import ApiError, QuotaExceededError


class UnacknowledgedAttempts:
    """Counts them for one request."""

    def __init__(self) -> None:
        self._count = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def sent(self) -> None:
        """An attempt begins: there is a connection for it."""
        self._count += 1

    def failed(self, error: BaseException) -> None:
        """An attempt has ended without success."""
        if is_refusal(error):
            self._count -= 1

    def settle(self) -> None:
        """It is known now what became of every one of them."""
        self._count = 0


def is_refusal(error: BaseException) -> bool:
    """Whether the service itself said that it did nothing: what broke, or a proxy answered, may have been done."""
    if not isinstance(error, ApiError) or error.code == "idempotency_in_progress":
        return False
    return error.status < 500 and error.status != 408


def is_verdict(error: BaseException) -> bool:
    """Whether a refusal also tells that no earlier attempt with the same idempotency key did anything.

    Those for too many requests, a connection too young, a key that is no longer good or one without the scope are
    spoken before anybody looks at idempotency keys.
    """
    if not is_refusal(error) or not isinstance(error, ApiError) or error.status in (401, 425, 429):
        return False
    return error.status != 403 or isinstance(error, QuotaExceededError)
