"""Exit codes that identify the error to scripts. Both command lines of the service use the same codes."""

from __future__ import annotations

from typing import Sequence

from ..errors import (
    AuthenticationError,
    ConnectionFailedError,
    ImageEnhancementError,
    PermissionDeniedError,
    QuotaExceededError,
)

EXIT_DONE = 0
EXIT_SOME_FAILED = 1
EXIT_USAGE = 2
EXIT_KEY_REFUSED = 3
EXIT_QUOTA = 4
EXIT_UNREACHABLE = 5
EXIT_INTERRUPTED = 130

_USAGE_ERRORS = ("missing_api_key", "invalid_api_key", "invalid_base_url", "invalid_proxy")


def exit_code_of(error: ImageEnhancementError) -> int:
    """The exit code for one error."""
    if isinstance(error, (AuthenticationError, PermissionDeniedError)):
        return EXIT_KEY_REFUSED
    if isinstance(error, QuotaExceededError):
        return EXIT_QUOTA
    if isinstance(error, ConnectionFailedError):
        return EXIT_UNREACHABLE
    return EXIT_USAGE if error.code in _USAGE_ERRORS else EXIT_SOME_FAILED


def common_exit_code(codes: Sequence[int]) -> int:
    """The exit code for several failures: the common one if all are equal, otherwise "something failed"."""
    kinds = set(codes)
    if not kinds:
        return EXIT_DONE
    return kinds.pop() if len(kinds) == 1 else EXIT_SOME_FAILED
