"""One request to the service, before it is sent."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Mapping, Optional, Union
from urllib.parse import quote

from .._files.sending import UploadCallback
from .attempts import UnacknowledgedAttempts

QueryValue = Union[str, int, datetime, None]

NULL = object()
"""A field of a body that is to be null, and not left out."""

HEADER_TEXT = re.compile(r"[\x21-\x7e]+")
"""What a key in a header may be made of."""


@dataclass(frozen=True)
class Request:
    """One request. ``path`` is relative to the base URL."""

    method: str
    path: str
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Optional[bytes] = None
    is_repeatable: bool = True
    with_key: bool = True
    unheard: UnacknowledgedAttempts = field(default_factory=UnacknowledgedAttempts, compare=False)
    on_sent: Optional[UploadCallback] = None
    """Called while the body is sent."""


def json_request(
    method: str, path: str, body: Mapping[str, Any], idempotency_key: Optional[str] = None, **rest: Any
) -> Request:
    """A request with a JSON body. Fields that are None are omitted, and those that are NULL are sent as null.
    """
    given = {name: None if value is NULL else value for name, value in body.items() if value is not None}
    headers = {"content-type": "application/json"}
    if idempotency_key is not None:
        headers["idempotency-key"] = idempotency_key
    rest.setdefault("is_repeatable", method != "POST" or idempotency_key is not None)
    return Request(method, path, headers=headers, body=json.dumps(given).encode(), **rest)


def segment(text: str) -> str:
    """A part of a path."""
    return quote(text, safe="")
