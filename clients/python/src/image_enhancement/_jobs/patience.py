"""The duration of a wait, and its polling interval."""

from __future__ import annotations

import random
import time
from typing import Callable, Optional

from .._http.retry import MAX_ASKED_SECONDS, is_passing
from .._limits.cancellation import pause
from ..errors import ApiError, ImageEnhancementError, RateLimitError, WaitTimeoutError

_AWAY_SECONDS = 120.0
"""How long the service may be away while something is waited for: a restart, a network that is gone for a moment."""
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 5.0


class WaitOver(WaitTimeoutError):
    """The whole wait is over, not only one of its requests."""


class Patience:
    """The deadline of one wait, its pauses, and the outages that it tolerates."""

    def __init__(self, limit_seconds: float, over: Callable[[], WaitOver]) -> None:
        self._deadline = time.monotonic() + limit_seconds
        self._over = over
        self._away_since: Optional[float] = None
        self._pause = _FIRST_PAUSE_SECONDS
        # The wait that the service has requested since the last pause.
        self._asked = 0.0

    def left(self) -> float:
        """Seconds left. Raises WaitOver when there are none."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise self._over()
        return left

    def heard(self) -> None:
        """The service has responded."""
        self._away_since = None

    def held(self) -> None:
        """The service held its response, so no further pause is needed."""
        self._pause = 0.0

    def consider(self, error: ImageEnhancementError) -> None:
        """Raises the error, unless waiting may help."""
        self.left()
        if not is_passing(error):
            raise error
        if isinstance(error, ApiError):
            self._asked = error.retry_after_seconds or 0.0
        if isinstance(error, RateLimitError):
            # A rate limit is not an outage. Only the timeout of the whole wait ends it.
            return
        now = time.monotonic()
        self._away_since = now if self._away_since is None else self._away_since
        if now - self._away_since > _AWAY_SECONDS:
            raise error

    def rest(self) -> None:
        """Pauses until the next request."""
        own = self._pause * random.uniform(0.75, 1.0)
        # Added to the requested wait, because all rejected clients are given the same time.
        pause(min(min(self._asked, MAX_ASKED_SECONDS) + own, self.left()))
        self._asked = 0.0
        self._pause = min(max(self._pause, _FIRST_PAUSE_SECONDS / 2) * 1.5, _LONGEST_PAUSE_SECONDS)
