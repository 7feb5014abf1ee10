"""What the service can do, and what of it is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import List, Mapping

from ._job_models import JobModel
from ._json import Json
from ._times import parse_time


@dataclass(frozen=True)
class Operation:
    """Something the service can do; ``scales``: result pixels per source pixel along each axis, by level."""

    operation: str
    description: str
    levels: List[str]
    scales: Mapping[str, int]
    produces_alpha: bool
    model: JobModel
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Operation":
        """Reads the JSON of the service."""
        model = data["model"]
        return cls(
            operation=data["operation"],
            description=data["description"],
            levels=list(data["levels"]),
            scales=data["scales"],
            produces_alpha=data["producesAlpha"],
            model=JobModel(model["name"], model["version"], model["sha256"]),
            raw=data,
        )


@dataclass(frozen=True)
class Usage:
    """The account's plan, its limits and what is used of them."""

    plan: str
    period: str
    requests_per_minute_limit: int
    enhancements_limit: int
    enhancements_used: int
    enhancements_remaining: int
    enhancements_reset_at: datetime
    storage_limit_bytes: int
    storage_used_bytes: int
    storage_remaining_bytes: int
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Usage":
        """Reads the JSON of the service."""
        enhancements, storage = data["enhancements"], data["storage"]
        return cls(
            plan=data["plan"],
            period=data["period"],
            requests_per_minute_limit=data["requestsPerMinute"]["limit"],
            enhancements_limit=enhancements["limit"],
            enhancements_used=enhancements["used"],
            enhancements_remaining=enhancements["remaining"],
            enhancements_reset_at=parse_time(enhancements["resetsAt"]),
            storage_limit_bytes=storage["limitBytes"],
            storage_used_bytes=storage["usedBytes"],
            storage_remaining_bytes=storage["remainingBytes"],
            raw=data,
        )
