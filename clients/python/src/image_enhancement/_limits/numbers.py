"""Checks numbers that are limits."""

from __future__ import annotations

import math
from numbers import Real
from typing import cast

from ..errors import ImageEnhancementError


def checked_number(
    name: str, value: object, *, at_least: float = -math.inf, is_finite: bool = False
) -> float:
    """The value. Raises ImageEnhancementError ``invalid_option`` when it is not a number, or out of range.

    Every comparison with NaN is false, so a limit of NaN would mean no limit: endless waits, endless retries,
    and webhooks of any age. The usual cause is a missing or misspelled setting.
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        number = cast(float, value)
        if number >= at_least and not (is_finite and abs(number) == math.inf):
            return number
    kind = "a finite number" if is_finite else "a number"
    bound = "" if at_least == -math.inf else f" of at least {at_least:g}"
    raise ImageEnhancementError("invalid_option", f"{name} must be {kind}{bound}, not {value!r}.")
