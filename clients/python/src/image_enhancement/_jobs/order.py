"""The body of a request for jobs."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence

from ..errors import ImageEnhancementError
from ..options import JobOptions

_WHAT = ("operation", "operations", "preset")


def order_of(
    operation: Optional[str], options: Mapping[str, Any], known: type = JobOptions
) -> Dict[str, Any]:
    """The JSON of an operation and its options, which belong to the typed dictionary ``known``.

    Raises TypeError for other options, and ImageEnhancementError ``invalid_option`` unless exactly one of
    ``operation``, ``operations``, and ``preset`` is given.
    """
    unknown = sorted(options.keys() - known.__annotations__.keys())
    if unknown:
        raise TypeError(f"got an unexpected keyword argument {unknown[0]!r}")
    order: Dict[str, Any] = {"operation": operation, **options}
    if sum(order.get(name) is not None for name in _WHAT) != 1:
        raise ImageEnhancementError(
            "invalid_option", f"Give exactly one of {', '.join(_WHAT)}, such as operation='upscale'."
        )
    if order.get("operations") is not None:
        order["operations"] = steps_of(order["operations"])
    return {_camel_case(name): value for name, value in order.items()}


def steps_of(operations: Sequence[Mapping[str, Any]]) -> List[Dict[str, Any]]:
    """The JSON of several operations. Options that are None are omitted."""
    return [{name: value for name, value in step.items() if value is not None} for step in operations]


def _camel_case(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match.group(1).upper(), name)
