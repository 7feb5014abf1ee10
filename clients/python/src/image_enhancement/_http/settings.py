"""The settings of a client, and their values from the environment."""

from __future__ import annotations

import os
import re
import ssl
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional
from urllib.parse import SplitResult, urlsplit

from .._limits.numbers import checked_number
from ..errors import ImageEnhancementError
from .injected import HttpTransport
from .request import HEADER_TEXT

class DefaultTimeout(float):
    """A timeout that nobody chose. Uploads and downloads may take longer."""


DEFAULT_TIMEOUT_SECONDS = DefaultTimeout(60.0)


@dataclass(frozen=True)
class Settings:
    """The settings of a client; see ``Client``."""

    api_key: str = field(repr=False)
    base_url: str
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    max_retries: int = 4
    max_rate_limit_wait_seconds: float = 120.0
    ssl_context: Optional[ssl.SSLContext] = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    transport: Optional[HttpTransport] = None

    def __post_init__(self) -> None:
        # Checked at construction, not only when a request first fails.
        checked_number("timeout", self.timeout_seconds)
        checked_number("max_retries", self.max_retries, at_least=0)
        checked_number("max_rate_limit_wait", self.max_rate_limit_wait_seconds, at_least=0)


def settings_from(api_key: Optional[str], base_url: Optional[str], **rest: Any) -> Settings:
    """Fills in the values from the environment. Raises ImageEnhancementError for a missing key, or a wrong
    URL or limit.
    """
    # A key that was read from a file may end with a line break.
    key = (api_key or os.environ.get("IMAGE_ENHANCEMENT_API_KEY") or "").strip()
    if not key:
        raise ImageEnhancementError(
            "missing_api_key",
            "Give the key of your account: Client(api_key=…), or set IMAGE_ENHANCEMENT_API_KEY.",
        )
    if HEADER_TEXT.fullmatch(key) is None:
        raise ImageEnhancementError("invalid_api_key", "The API key has characters that no key has.")
    url = (base_url or os.environ.get("IMAGE_ENHANCEMENT_URL") or "http://localhost:3000").strip()
    parts = parts_of(url)
    if parts is None:
        raise ImageEnhancementError(
            "invalid_base_url", f'"{url}" is not an address that begins with http:// or https://.'
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ImageEnhancementError(
            "invalid_base_url",
            "The address of the service is host and path alone, without a name, a \"?\" or a \"#\".",
        )
    return Settings(api_key=key, base_url=url.rstrip("/"), **rest)


def parts_of(url: str) -> Optional[SplitResult]:
    """The parts of a URL that requests can be sent to, otherwise None."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            return None
        parts.hostname.encode("idna")
    except ValueError:
        return None
    # Characters that urlsplit removes silently, or that a request line cannot contain.
    is_text = HEADER_TEXT.fullmatch(url.replace(parts.netloc, "")) is not None
    return parts if is_text and not re.search(r"[\s\x00-\x1f\x7f]", url) else None
