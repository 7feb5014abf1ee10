"""Idempotency keys: a request with a key creates nothing twice."""

from __future__ import annotations

import hashlib
import uuid
from typing import Optional

from ..errors import ImageEnhancementError
from .request import HEADER_TEXT

_LONGEST = 255
_UPLOAD_SUFFIX = "-upload"


def new_idempotency_key() -> str:
    """A new key for each call, so that its retries create nothing twice."""
    return str(uuid.uuid4())


def upload_key_of(key: str) -> str:
    """The key of the upload that belongs to a call. It differs from the job's key, and is always the same for
    the same call.
    """
    if len(key) > _LONGEST - len(_UPLOAD_SUFFIX):
        key = hashlib.sha256(key.encode()).hexdigest()
    return f"{key}{_UPLOAD_SUFFIX}"


def check_idempotency_key(key: Optional[str]) -> None:
    """Raises ImageEnhancementError for a key that the service would reject, or that a header cannot contain.
    """
    if key is None or (HEADER_TEXT.fullmatch(key) is not None and len(key) <= _LONGEST):
        return
    raise ImageEnhancementError(
        "invalid_idempotency_key",
        f"An idempotency key has 1 to {_LONGEST} printable ASCII characters without spaces"
        f' (a digest, for example); "{key}" is none.',
    )
