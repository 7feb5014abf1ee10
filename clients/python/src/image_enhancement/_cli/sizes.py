"""Sizes for people."""

from __future__ import annotations

_UNITS = ("kB", "MB", "GB", "TB")


def size_text(size: int) -> str:
    """A size as the service counts it, in steps of 1,024, alike in both command lines: 712 B, 1.7 kB, 50 GB."""
    if size < 1024:
        return f"{size} B"
    value, unit = size / 1024, 0
    # 1023.95 would be written as 1024.0.
    while value >= 1023.95 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    text = f"{value:.1f}"
    return f"{text[:-2] if text.endswith('.0') else text} {_UNITS[unit]}"
