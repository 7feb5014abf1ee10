"""Signatures of webhooks: HMAC-SHA256 of ``<timestamp>.<raw body>`` in hex, keyed with the secret's text."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import List, NoReturn, Optional, Sequence, Tuple, Union

from ._limits.numbers import checked_number
from ._models.event import WebhookEvent
from .errors import ImageEnhancementError, WebhookSignatureError

RawBody = Union[bytes, bytearray, memoryview, str]
Secrets = Union[str, Sequence[str]]

TOLERANCE_SECONDS = 300


def verify_webhook(
    body: RawBody,
    header: Optional[str],
    secret: Secrets,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now_seconds: Optional[float] = None,
) -> WebhookEvent:
    """Verifies a webhook and returns its event.

    ``body`` is the raw body, byte for byte. ``header`` is the value of ``X-Service-Signature``. ``secret`` is
    the endpoint's secret, or several during a rotation. ``tolerance_seconds`` is the maximum difference from
    the sender's time, in either direction: finite, at least 0. Raises WebhookSignatureError, whose code says
    what is wrong, and ImageEnhancementError ``missing_webhook_secret`` when a secret is empty,
    ``invalid_option`` when a tolerance or a time is not a number.
    """
    raw = _to_bytes(body)
    verify_signature(raw, header, secret, tolerance_seconds=tolerance_seconds, now_seconds=now_seconds)
    try:
        parsed = json.loads(raw.decode("utf-8"))
        return WebhookEvent.from_json(parsed)
    except (ValueError, KeyError, TypeError, AttributeError):
        _fail("malformed_body", "The signature is valid, but the body is not an event in JSON.")


def verify_signature(
    body: RawBody,
    header: Optional[str],
    secret: Secrets,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now_seconds: Optional[float] = None,
) -> None:
    """Checks only the signature and its time. Raises the same errors as ``verify_webhook``."""
    secrets = _secrets(secret)
    # Checked first, so that a wrong configuration fails with the first webhook.
    tolerance = checked_number("tolerance_seconds", tolerance_seconds, at_least=0, is_finite=True)
    now = checked_number("now_seconds", time.time() if now_seconds is None else now_seconds, is_finite=True)
    timestamp, signatures = _parse(header)
    raw = _to_bytes(body)
    matches = [
        hmac.compare_digest(_signature(each, timestamp, raw).encode(), given.encode("utf-8", "replace"))
        for each in secrets
        for given in signatures
    ]
    if True not in matches:
        _fail(
            "signature_mismatch",
            "No v1 signature matches: the secret is a different one, or the body is not byte for byte what was sent.",
        )
    age = now - int(timestamp)
    if age > tolerance:
        _fail(
            "stale_timestamp",
            f"The signature is valid, but it was made {age:.0f} seconds ago: a replay, or a wrong clock.",
        )
    if age < -tolerance:
        _fail(
            "future_timestamp",
            f"The signature is valid, but its time is {-age:.0f} seconds ahead of this clock. Set the clock.",
        )


def sign_test_header(body: RawBody, secret: Secrets, *, timestamp_seconds: Optional[int] = None) -> str:
    """Creates a value of ``X-Service-Signature`` like the service, for tests of a receiver."""
    timestamp = str(int(time.time()) if timestamp_seconds is None else timestamp_seconds)
    parts = [f"v1={_signature(each, timestamp, _to_bytes(body))}" for each in _secrets(secret)]
    return ",".join([f"t={timestamp}", *parts])


def _signature(secret: str, timestamp: str, body: bytes) -> str:
    return hmac.new(secret.encode("utf-8", "replace"), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def _parse(header: Optional[str]) -> Tuple[str, List[str]]:
    if not header:
        _fail("missing_header", "There is no X-Service-Signature header.")
    parts = [part.partition("=") for part in header.split(",")]
    values = [(name.strip(), value.strip()) for name, _, value in parts]
    times = [value for name, value in values if name == "t"]
    signatures = [value for name, value in values if name == "v1"]
    if len(times) != 1 or re.fullmatch(r"[0-9]{1,12}", times[0]) is None:
        _fail("malformed_header", "The header does not have exactly one t=<Unix seconds>.")
    if not signatures:
        _fail("malformed_header", "The header has no v1=<hmac>.")
    return times[0], signatures


def _secrets(secret: Secrets) -> Sequence[str]:
    """Raises ImageEnhancementError for a missing or empty secret, with which anyone could sign."""
    # Also covers callers without types that pass an unset variable.
    secrets = [secret] if isinstance(secret, str) else list(secret or ())
    if not secrets or not all(isinstance(each, str) and each.strip() for each in secrets):
        raise ImageEnhancementError(
            "missing_webhook_secret",
            "The webhook secret is empty. Give the endpoint's secret (whsec_…), shown once when it is created.",
        )
    return secrets


def _to_bytes(body: RawBody) -> bytes:
    return body.encode("utf-8", "replace") if isinstance(body, str) else bytes(body)


def _fail(code: str, message: str) -> NoReturn:
    raise WebhookSignatureError(code, message)
