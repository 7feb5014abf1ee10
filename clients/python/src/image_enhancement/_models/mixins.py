"""What models have besides their fields."""

from __future__ import annotations


class Ending:
    """Of a job: whether it has ended."""

    status: str
    """``completed`` and ``failed`` are final."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status in ("completed", "failed")
