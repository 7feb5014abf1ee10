"""Times as the service writes them."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Optional


def parse_time(text: str) -> datetime:
    """An ISO 8601 time of the service, in UTC."""
    # Before Python 3.11 fromisoformat knows no "Z" and only three or six digits of a second.
    return datetime.fromisoformat(re.sub(r"Z$", "+00:00", text)).astimezone(timezone.utc)


def format_time(time: datetime) -> str:
    """A time as the service reads it. A naive one counts as local time, as everywhere in Python."""
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def optional_time(value: Optional[str]) -> Optional[datetime]:
    """As ``parse_time``, of a time that may not have come yet."""
    return None if value is None else parse_time(value)
