"""The output of the preset, which flags and the names of results change in parts."""

from __future__ import annotations

import argparse
import threading
from typing import Any, Dict, Optional

from ..client import Client
from .job_options import output_of
from .order import format_of_results


class PresetOutput:
    """The output of the preset of a run, read at most once.

    The service would replace it as a whole with the output of a request, so that the name ``shop.jpg`` alone would
    lose the background of a preset.
    """

    def __init__(self, client: Client, options: argparse.Namespace) -> None:
        self._client = client
        self._name: Optional[str] = options.preset
        self._is_changed = bool(format_of_results(options) or output_of(options, options.background))
        self._is_known = False
        self._output: Optional[Dict[str, Any]] = None
        self._lock = threading.Lock()

    def get(self) -> Optional[Dict[str, Any]]:
        """What flags are merged over. None without a preset, and if they change nothing of its output."""
        if self._name is None or not self._is_changed:
            return None
        with self._lock:
            if not self._is_known:
                output = self._client.presets.get(self._name).output
                self._output = None if output is None else dict(output)
                self._is_known = True
        return self._output
