"""Server-sent events (WHATWG HTML)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Iterator, List


@dataclass(frozen=True)
class ServerEvent:
    """One event. Resume after it with its ``id``."""

    event: str
    id: str
    data: str


def read_events(lines: Iterable[bytes]) -> Iterator[ServerEvent]:
    """The events of a stream of lines. An incomplete event at the end is dropped."""
    event, last_id, data = "message", "", []  # type: str, str, List[str]
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if line == "":
            if data:
                yield ServerEvent(event, last_id, "\n".join(data))
            event, data = "message", []
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            event = value
        elif name == "id":
            last_id = value
        elif name == "data":
            data.append(value)
