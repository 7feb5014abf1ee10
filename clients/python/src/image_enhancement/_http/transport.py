"""Sends requests, with timeouts and retries."""

from __future__ import annotations

import http.client
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Callable, Iterator, Optional, TypeVar

from .._limits import cancellation as _cancellation, deadline as _deadline
from .._limits.numbers import checked_number
from ..errors import ConnectionFailedError, ImageEnhancementError, RateLimitError, WaitTimeoutError
from ..with_response import note_response
from .answers import Answer
from .bodies import DeadlinePassed, chunks_of, lines_of
from .exchange import Exchange
from .idempotency import check_idempotency_key
from .request import Request
from .retry import RetryBudget
from .settings import DEFAULT_TIMEOUT_SECONDS, DefaultTimeout, Settings

T = TypeVar("T")

_FILE_TIMEOUT_SECONDS = 300.0


class SilentStream(ConnectionFailedError):
    """Nothing arrived for too long: the connection broke, or a proxy holds everything back."""


class Transport:
    """Sends one client's requests. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._exchange = Exchange(settings)

    def close(self) -> None:
        """Closes idle connections."""
        self._exchange.close()

    def elsewhere(self, base_url: str) -> "Transport":
        """A transport to another server with the same limits, without the API key and headers."""
        return Transport(replace(self.settings, api_key="", headers={}, base_url=base_url))

    def read(
        self,
        request: Request,
        parse: Callable[[Any], T],
        timeout_seconds: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> T:
        """The JSON of the response. A response from something else on the way counts as a broken connection.
        """
        return self.take(request, lambda answer: answer.read(parse), timeout_seconds, max_retries)

    def send(
        self, request: Request, timeout_seconds: Optional[float] = None, max_retries: Optional[int] = None
    ) -> Answer:
        """Sends a request, with retries where they are safe and may help, until a response is successful."""
        return self.take(request, lambda answer: answer, timeout_seconds, max_retries)

    def take(
        self,
        request: Request,
        what: Callable[[Answer], T],
        timeout_seconds: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> T:
        """Like ``send``. Returns what a function takes from the response; its errors may be retried, too."""
        limit = self._limit_of(timeout_seconds)
        return self.retry(request, max_retries, lambda: what(self._whole(request, limit)), timeout_seconds)

    def file_limit(self, timeout_seconds: Optional[float]) -> float:
        """Seconds for an upload or a download: those of the call, those set for the client, or 300."""
        if timeout_seconds is not None:
            return timeout_seconds
        of_client = self.settings.timeout_seconds
        return _FILE_TIMEOUT_SECONDS if isinstance(of_client, DefaultTimeout) else of_client

    def _limit_of(self, timeout_seconds: Optional[float]) -> float:
        return self.settings.timeout_seconds if timeout_seconds is None else checked_number("timeout", timeout_seconds)

    def _rate_limit_wait(self, timeout_seconds: Optional[float]) -> float:
        """A timeout that the caller set also limits the wait after a 429: a caller who allows 5 seconds does
        not want to wait a minute.
        """
        longest = self.settings.max_rate_limit_wait_seconds
        if timeout_seconds is not None:
            return min(longest, max(0.0, timeout_seconds))
        of_client = self.settings.timeout_seconds
        return min(longest, max(0.0, of_client)) if of_client < DEFAULT_TIMEOUT_SECONDS else longest

    @contextmanager
    def lines(
        self, request: Request, quiet_seconds: float
    ) -> Iterator["tuple[http.client.HTTPResponse, Iterator[bytes]]"]:
        """Opens a response that arrives line by line, without retries. Raises SilentStream after too long a
        silence.
        """
        try:
            with self._exchange.opened(request, _deadline.cut(quiet_seconds)) as (connection, response):
                yield response, lines_of(connection, response, quiet_seconds)
        except DeadlinePassed as error:
            raise SilentStream(f"{self.settings.base_url} has been silent for too long.") from error

    def retry(
        self,
        request: Request,
        max_retries: Optional[int],
        run: Callable[[], T],
        timeout_seconds: Optional[float] = None,
    ) -> T:
        """Runs attempts at a request until one succeeds, as long as a retry is safe and may help.

        Errors get the idempotency key of the request. So does an interrupt, if the request may have created
        something.
        """
        key = request.headers.get("idempotency-key")
        check_idempotency_key(key)
        retries = self.settings.max_retries if max_retries is None else max_retries
        budget = RetryBudget(retries, self._rate_limit_wait(timeout_seconds))
        try:
            while True:
                try:
                    return run()
                except ImageEnhancementError as error:
                    error.idempotency_key = key
                    request.unheard.failed(error)
                    pause = budget.pause_after(error, request.is_repeatable)
                    if pause is None:
                        raise
                    _consider_time(error, pause)
                _cancellation.pause(pause)
        except BaseException as interrupt:
            if not isinstance(interrupt, Exception) and key is not None and request.unheard:
                setattr(interrupt, "idempotency_key", key)
            raise

    def _whole(self, request: Request, timeout_seconds: float) -> Answer:
        with self.answer(request, timeout_seconds) as (response, chunks):
            answer = Answer(response.status, response.headers, b"".join(chunks))
        note_response(answer.status, answer.headers)
        return answer

    @contextmanager
    def answer(
        self, request: Request, timeout_seconds: float
    ) -> Iterator["tuple[http.client.HTTPResponse, Iterator[bytes]]"]:
        """One attempt: a successful response and its body in parts, all of it within the time limit."""
        limit = _deadline.cut(timeout_seconds)
        deadline = time.monotonic() + limit
        try:
            with self._exchange.opened(request, limit) as (connection, response):
                yield response, chunks_of(connection, response, deadline)
        except DeadlinePassed:
            raise WaitTimeoutError(f"{self.settings.base_url} did not answer within {limit:g} s.") from None


def _consider_time(error: ImageEnhancementError, pause: float) -> None:
    """Raises immediately when the whole call will be over before the next attempt, because waiting would not
    help.
    """
    left = _deadline.left()
    if left is None or pause < left:
        return
    if isinstance(error, (RateLimitError, WaitTimeoutError)):
        raise error
    late = WaitTimeoutError(f"There was no time to try again after: {error}")
    late.idempotency_key = error.idempotency_key
    raise late from error
