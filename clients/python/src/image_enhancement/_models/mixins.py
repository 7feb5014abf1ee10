"""Properties of models in addition to their fields."""

from __future__ import annotations

from datetime import datetime
from typing import Optional


class Ending:
    """For jobs: whether the job has ended."""

    status: str
    """``completed`` and ``failed`` are final."""

    @property
    def has_ended(self) -> bool:
        """Whether the job will not change anymore."""
        return self.status in ("completed", "failed")


class BatchEnding:
    """For batches: whether the batch has ended."""

    completed_at: Optional[datetime]

    @property
    def has_ended(self) -> bool:
        """Whether every item has ended."""
        return self.completed_at is not None
