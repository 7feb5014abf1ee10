"""What the service answers, before it is read."""

from __future__ import annotations

from typing import Any, Mapping

Json = Mapping[str, Any]
"""An object."""
