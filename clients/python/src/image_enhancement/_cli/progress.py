"""A line for each image, drawn on a terminal."""

from __future__ import annotations

import sys
import threading
from typing import Dict, List, TextIO

from .._files.sending import UploadProgress
from .._models.state import JobState

_WIDTH = 24


class Progress:
    """Progress bars of several images on a terminal. On anything else, it is silent."""

    def __init__(self, names: List[str], is_quiet: bool, out: TextIO = sys.stderr) -> None:
        self._out = out
        self._lock = threading.Lock()
        self._texts: Dict[str, str] = {name: "waiting" for name in names}
        self._drawn = 0
        self._is_active = not is_quiet and out.isatty()

    def uploading(self, name: str) -> None:
        """The image is being uploaded."""
        self._set(name, bar(0.0, "uploading"))

    def sent(self, name: str, progress: UploadProgress) -> None:
        """Shows how much of the image was sent."""
        self._set(name, bar(progress.sent_bytes / max(1, progress.total_bytes), "uploading"))

    def see(self, name: str, state: JobState) -> None:
        """Shows the progress of the job."""
        place = "" if state.queue_position is None else f" · {state.queue_position} in the queue"
        self._set(name, bar(state.job.progress, f"{state.job.status}{place}"))

    def end(self, name: str, text: str) -> None:
        """The image is finished."""
        self._set(name, text)

    def _set(self, name: str, text: str) -> None:
        with self._lock:
            self._texts[name] = text
            if self._is_active:
                self._draw()

    def _draw(self) -> None:
        if self._drawn:
            self._out.write(f"\x1b[{self._drawn}A")
        for name, text in self._texts.items():
            self._out.write(f"\r\x1b[K{name[-32:]:32} {text}\n")
        self._drawn = len(self._texts)
        self._out.flush()


def bar(fraction: float, text: str) -> str:
    """A bar with its percentage and a text."""
    filled = round(_WIDTH * fraction)
    return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {100 * fraction:3.0f}% {text}"
