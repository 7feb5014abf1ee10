"""Operations and an output that were saved under a name."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import List, Optional

from ..literals import Output
from ..options import Step
from .json import Json
from .times import optional_time


@dataclass(frozen=True)
class Preset:
    """Operations and an output that were saved under a name."""

    name: str
    operations: List[Step]
    """Each on the result of the one before."""
    output: Optional[Output]
    is_built_in: bool
    """It cannot be changed or deleted."""
    created_at: Optional[datetime]
    updated_at: Optional[datetime]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Json) -> "Preset":
        """Reads the JSON of the service."""
        return cls(
            name=data["name"],
            operations=list(data["operations"]),
            output=data.get("output"),
            is_built_in=data["isBuiltIn"],
            created_at=optional_time(data.get("createdAt")),
            updated_at=optional_time(data.get("updatedAt")),
            raw=data,
        )
