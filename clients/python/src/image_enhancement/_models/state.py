"""The state of a job at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .generated import Job


@dataclass(frozen=True)
class JobState:
    """The progress of a job. ``queue_position``: the number of jobs ahead, plus one, while it is queued and
    if the service reports it.
    """

    job: Job
    queue_position: Optional[int]
