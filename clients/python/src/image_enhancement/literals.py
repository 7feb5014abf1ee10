"""The values that requests accept, for type checkers."""

from __future__ import annotations

from typing import Literal, TypedDict, Union

OperationName = Literal["smooth_skin", "upscale", "bg_remove", "auto_enhance"]
"""The built-in operations. For one of your own models, use ``typing.cast(OperationName, "my_operation")``."""

Level = Literal["low", "medium", "high"]

OutputFormat = Literal["jpeg", "png", "webp", "avif"]

Retention = Literal["deliver"]

QuotaChoice = Literal["all", "partial"]
"""What a batch does when the month has too few enhancements left."""

JobStatus = Literal["queued", "processing", "completed", "failed"]

Fit = Literal["inside", "cover", "fill"]
"""How a result fits a width and a height."""

OutputKind = Literal["image", "mask", "edges"]

MetadataMode = Literal["strip", "keep", "keep-no-gps"]


class Mask(TypedDict):
    """An upload that corrects a cutout: a PNG. White keeps a pixel, black erases it, and mid-gray leaves
    it to the model.
    """

    sourceUrl: str


class _BackgroundAddress(TypedDict):
    sourceUrl: str


class BackgroundPicture(_BackgroundAddress, total=False):
    """An upload behind a transparent image."""

    fit: Literal["cover", "contain"]


class Shadow(TypedDict, total=False):
    """A soft shadow. Lengths are fractions of the subject's longer side."""

    opacity: float
    blur: float
    offsetX: float
    offsetY: float


class Output(TypedDict, total=False):
    """The output options of a job."""

    format: OutputFormat
    quality: int
    """1 to 100; not for PNG."""
    background: Union[str, BackgroundPicture]
    """A color such as ``#ffffff``, or an upload, behind a transparent image."""
    crop: Literal["subject"]
    padding: float
    """0 to 0.5: space around a cropped subject, as a share of its longer side."""
    shadow: Union[bool, Shadow]
    kind: OutputKind
    maxBytes: int
    """The quality is lowered until the result fits."""
    metadata: MetadataMode
    provenance: bool
    """Writes the IPTC digital source type."""
