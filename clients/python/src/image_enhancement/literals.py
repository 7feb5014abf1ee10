"""The values that requests accept, for type checkers."""

from __future__ import annotations

from typing import Literal, TypedDict

OperationName = Literal["smooth_skin", "upscale", "bg_remove", "auto_enhance"]
"""The built-in operations. For one of your own models, use ``typing.cast(OperationName, "my_operation")``."""

Level = Literal["low", "medium", "high"]

OutputFormat = Literal["jpeg", "png", "webp", "avif"]

Retention = Literal["deliver"]

JobStatus = Literal["queued", "processing", "completed", "failed"]


class Output(TypedDict, total=False):
    """How the result is encoded."""

    format: OutputFormat
    quality: int
    """1 to 100; not for PNG."""
    background: str
    """A color such as ``#ffffff`` behind a transparent image."""
