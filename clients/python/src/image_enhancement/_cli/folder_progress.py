"""A progress bar for all images of a folder."""

from __future__ import annotations

import sys
import threading
from typing import TextIO

from .progress import bar


class FolderProgress:
    """Draws on a terminal. On anything else, it is silent."""

    def __init__(self, total: int, is_quiet: bool, out: TextIO = sys.stderr) -> None:
        self._out = out
        self._total = total
        self.count = 0
        """How many images are done."""
        self._verb = ""
        self._lock = threading.Lock()
        self._is_active = not is_quiet and out.isatty()

    def start(self, verb: str, count: int = 0) -> None:
        """Begins a new stage, with the given number of finished images."""
        with self._lock:
            self._verb = verb
            self.count = count
            self._draw("")

    def step(self) -> None:
        """Counts one more finished image."""
        with self._lock:
            self.count += 1
            self._draw("")

    def set(self, count: int, note: str) -> None:
        """Sets the number of finished images."""
        with self._lock:
            self.count = count
            self._draw(note)

    def end(self) -> None:
        """Ends the line."""
        if self._is_active:
            self._out.write("\n")
            self._out.flush()

    def _draw(self, note: str) -> None:
        if not self._is_active:
            return
        fraction = self.count / self._total if self._total else 1.0
        text = f"{self._verb} {self.count} of {self._total}{note}"
        self._out.write(f"\r\x1b[K{bar(fraction, text)}")
        self._out.flush()
