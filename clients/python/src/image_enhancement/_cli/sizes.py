"""Human-readable sizes."""

from __future__ import annotations

_UNITS = ("kB", "MB", "GB", "TB")


def size_text(size: int) -> str:
    """A size in units of 1,024, as in the service and the JavaScript command line: 712 B, 1.7 kB, 50 GB."""
    if size < 1024:
        return f"{size} B"
    value, unit = size / 1024, 0
    # 1023.95 would be written as 1024.0.
    while value >= 1023.95 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    text = f"{value:.1f}"
    return f"{text[:-2] if text.endswith('.0') else text} {_UNITS[unit]}"
