"""Presets: operations and output options that are saved under a name."""

from __future__ import annotations

from typing import List, Optional, Sequence

from ._http.request import Request, json_request, segment
from ._http.transport import Transport
from ._jobs.order import steps_of
from ._models.preset import Preset
from .jobs import delete_once
from .literals import Output
from .options import Step

PATH = "/api/ai/presets"


def _path_of(name: str) -> str:
    return f"{PATH}/{segment(name)}"


class Presets:
    """Presets of the account, and the built-in ones. ``preset`` of a job or batch refers to one by name."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, timeout: Optional[float] = None) -> List[Preset]:
        """The built-in presets, then those of the account by name."""
        return self._transport.read(
            Request("GET", PATH), lambda answer: [Preset.from_json(each) for each in answer["presets"]], timeout
        )

    def get(self, name: str, *, timeout: Optional[float] = None) -> Preset:
        """One preset."""
        return self._transport.read(Request("GET", _path_of(name)), Preset.from_json, timeout)

    def save(
        self,
        name: str,
        operations: Sequence[Step],
        *,
        output: Optional[Output] = None,
        timeout: Optional[float] = None,
    ) -> Preset:
        """Saves a preset, and replaces one with the same name. Existing jobs do not change.

        ``name``: up to 63 lowercase letters, digits, and hyphens. Raises ApiError for a built-in preset and
        when the account has too many.
        """
        request = json_request("PUT", _path_of(name), {"operations": steps_of(operations), "output": output})
        return self._transport.read(request, Preset.from_json, timeout)

    def delete(self, name: str, *, timeout: Optional[float] = None) -> None:
        """Deletes a preset. Existing jobs do not change."""
        delete_once(self._transport, _path_of(name), timeout)
