"""Attempts of which nobody here knows whether the service did what they asked for."""

from __future__ import annotations

from .errors import ApiError


class Unheard:
    """Counts them for one request."""

    def __init__(self) -> None:
        self._count = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def sent(self) -> None:
        """An attempt begins."""
        self._count += 1

    def failed(self, error: BaseException) -> None:
        """An attempt has ended without success."""
        if is_refusal(error):
            self._count -= 1


def is_refusal(error: BaseException) -> bool:
    """Whether the service itself said that it did nothing: what broke, or a proxy answered, may have been done."""
    if not isinstance(error, ApiError) or error.code == "idempotency_in_progress":
        return False
    return error.status < 500 and error.status != 408
