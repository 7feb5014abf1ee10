"""What models have besides their fields."""

from __future__ import annotations

from datetime import datetime
from typing import Optional


class Ending:
    """Of a job: whether it has ended."""

    status: str
    """``completed`` and ``failed`` are final."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status in ("completed", "failed")


class BatchEnding:
    """Of a batch: whether it has ended."""

    completed_at: Optional[datetime]

    @property
    def has_ended(self) -> bool:
        """Whether every item has ended."""
        return self.completed_at is not None
