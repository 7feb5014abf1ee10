"""Uploaded images."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from ._json import Json
from ._times import parse_time


@dataclass(frozen=True)
class Source:
    """An uploaded image; ``url`` is what jobs are made from. ``width`` and ``height`` in pixels, upright."""

    id: str
    url: str
    format: str
    width: int
    height: int
    bytes: int
    sha256: str
    created_at: datetime
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Source":
        """Reads the JSON of the service."""
        return cls(
            id=data["id"],
            url=data["url"],
            format=data["format"],
            width=data["width"],
            height=data["height"],
            bytes=data["bytes"],
            sha256=data["sha256"],
            created_at=parse_time(data["createdAt"]),
            raw=data,
        )
