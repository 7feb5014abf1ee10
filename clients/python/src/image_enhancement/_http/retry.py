"""Decides whether and when a request is retried."""

from __future__ import annotations

import random
import ssl
from typing import Optional

from .._limits.numbers import checked_number
from ..errors import ApiError, ConnectionFailedError, ImageEnhancementError, WaitTimeoutError

_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 8.0
MAX_ASKED_SECONDS = 60.0
"""What a proxy in maintenance may ask for, of a service that is back in a minute."""

_PASSING_STATUSES = (408, 425, 429)
"""Too slow, too early, too many.

425 comes from a proxy that was handed the request before the handshake of the connection behind it was over: it did
nothing with it, and a moment later there is nothing to wait for any more.
"""


def is_passing(error: BaseException) -> bool:
    """Whether the same request may succeed a moment later: a broken connection, or a failing or overloaded
    service.
    """
    if isinstance(error, ConnectionFailedError):
        return not _is_tls_failure(error)
    if isinstance(error, WaitTimeoutError):
        return True
    if not isinstance(error, ApiError):
        return False
    # Waiting does not help with a wrong key.
    if error.code == "too_many_failed_authentications":
        return False
    # The request has succeeded; the job itself has failed, which is final.
    if error.problem.get("jobId") is not None:
        return False
    if error.code == "idempotency_in_progress" or error.status in _PASSING_STATUSES:
        return True
    return error.status >= 500 and error.status != 501


def _is_tls_failure(error: ConnectionFailedError) -> bool:
    """Whether the certificate is not trusted, has expired, or is of another host, or the server does not speak TLS.

    Another attempt fails, too.
    """
    inner = error.__cause__
    # Behind another error of this library is the one that the caller was handling when this call began.
    while inner is not None and not isinstance(inner, ImageEnhancementError):
        if isinstance(inner, ssl.SSLCertVerificationError):
            return True
        if isinstance(inner, ssl.SSLError) and getattr(inner, "reason", None) == "WRONG_VERSION_NUMBER":
            return True
        inner = inner.__cause__ or inner.__context__
    return False


class RetryBudget:
    """The retries of one request. With ``max_retries`` 0, there are none, and no wait for the rate limit
    either.

    Raises ImageEnhancementError for a limit that is not a number.
    """

    def __init__(self, max_retries: int, max_rate_limit_wait_seconds: float) -> None:
        self._left = checked_number("max_retries", max_retries, at_least=0)
        self._may_wait = self._left > 0
        self._wait_left = checked_number("max_rate_limit_wait", max_rate_limit_wait_seconds, at_least=0)
        self._pause = _FIRST_PAUSE_SECONDS

    def pause_after(self, error: ImageEnhancementError, is_repeatable: bool) -> Optional[float]:
        """Seconds to wait before the next attempt; None when the error is final."""
        if not is_passing(error):
            return None
        asked = error.retry_after_seconds if isinstance(error, ApiError) else None
        if isinstance(error, ApiError) and error.status == 429:
            # Rejected before anything was done, so a retry is always safe.
            return self._wait(asked) if self._may_wait else None
        if not is_repeatable or self._left <= 0:
            return None
        self._left -= 1
        pause = self._next()
        return pause if asked is None else max(pause, min(asked, MAX_ASKED_SECONDS))

    def _wait(self, asked: Optional[float]) -> Optional[float]:
        pause = self._next() if asked is None else asked + random.uniform(0, 0.5)
        if pause > self._wait_left:
            return None
        self._wait_left -= pause
        return pause

    def _next(self) -> float:
        pause = self._pause * random.uniform(0.75, 1.0)
        self._pause = min(_LONGEST_PAUSE_SECONDS, self._pause * 2)
        return pause
