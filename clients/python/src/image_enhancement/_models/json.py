"""Responses of the service before they are parsed into models."""

from __future__ import annotations

from typing import Any, Mapping

Json = Mapping[str, Any]
"""An object."""
