"""A job at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .generated import Job


@dataclass(frozen=True)
class JobState:
    """How far a job is; ``queue_position``: jobs before it, plus one, while it is queued and if the service says so."""

    job: Job
    queue_position: Optional[int]
