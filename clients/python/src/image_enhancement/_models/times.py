"""Times in the service's format."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Optional


def parse_time(text: str) -> datetime:
    """An ISO 8601 time of the service, in UTC."""
    # Before Python 3.11, fromisoformat does not support "Z", and requires three or six fractional digits.
    return datetime.fromisoformat(re.sub(r"Z$", "+00:00", text)).astimezone(timezone.utc)


def format_time(time: datetime) -> str:
    """A time in the service's format. A naive one counts as local time, as usual in Python."""
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def optional_time(value: Optional[str]) -> Optional[datetime]:
    """Like ``parse_time``, for a time that may not be set yet."""
    return None if value is None else parse_time(value)
