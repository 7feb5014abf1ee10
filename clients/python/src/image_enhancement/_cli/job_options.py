"""Flags for the appearance of a result."""

from __future__ import annotations

import argparse
import threading
from typing import Any, Callable, Dict, Optional, Union

from ..client import Client
from ..literals import BackgroundPicture

_MAX_SIDE = 1_000_000


def add_job_options(parser: argparse.ArgumentParser) -> None:
    """Adds the flags to a command."""
    parser.add_argument("--quality", type=whole(1, 100), help="1 to 100")
    parser.add_argument("--strength", type=_decimal(0, 1), help="0 to 1, of smooth_skin and auto_enhance")
    parser.add_argument("--scale", type=whole(1, 8), help="2 or 4, of upscale")
    parser.add_argument("--width", type=whole(1, _MAX_SIDE), help="exact width in pixels, of upscale")
    parser.add_argument("--height", type=whole(1, _MAX_SIDE), help="exact height in pixels, of upscale")
    parser.add_argument("--fit", choices=["inside", "cover", "fill"], help="with --width and --height (inside)")
    parser.add_argument("--background", help="#rrggbb or a picture, behind what is cut out")
    parser.add_argument("--background-fit", choices=["cover", "contain"], help="of a picture (cover)")
    parser.add_argument("--crop", choices=["subject"], help="cut to the subject")
    parser.add_argument(
        "--padding", type=_decimal(0, 0.5), help="around the cropped subject, as a share of its longer side"
    )
    parser.add_argument("--shadow", action="store_true", default=None, help="a soft shadow")
    parser.add_argument("--kind", choices=["image", "mask", "edges"], help="the picture, its mask or its outline")
    parser.add_argument(
        "--max-bytes", type=whole(1_000, 2_000_000_000), help="lower the quality until the file fits"
    )
    parser.add_argument("--metadata", choices=["strip", "keep", "keep-no-gps"], help="of the source (strip)")
    parser.add_argument(
        "--provenance", action="store_true", default=None, help="write the IPTC digital source type"
    )


def output_of(options: argparse.Namespace, background: Union[str, BackgroundPicture, None]) -> Dict[str, Any]:
    """The output options from the flags, without the format."""
    output = {
        "quality": options.quality,
        "background": background,
        "crop": options.crop,
        "padding": options.padding,
        "shadow": options.shadow,
        "kind": options.kind,
        "maxBytes": options.max_bytes,
        "metadata": options.metadata,
        "provenance": options.provenance,
    }
    return {name: value for name, value in output.items() if value is not None}


def picture_of(options: argparse.Namespace) -> Optional[str]:
    """The path of a background picture. None for a color, or no background."""
    given: Optional[str] = options.background
    return None if given is None or given.startswith("#") else given


class Background:
    """The background of all images of a run: a color, or a picture that is uploaded only once."""

    def __init__(
        self, client: Client, options: argparse.Namespace, idempotency_key: Optional[str] = None
    ) -> None:
        self.url: Optional[str] = None
        """Of the uploaded picture."""
        self._idempotency_key = idempotency_key
        self._client = client
        self._given: Optional[str] = options.background
        self._picture = picture_of(options)
        self._direct: bool = options.direct
        self._fit: Any = options.background_fit
        self._lock = threading.Lock()

    def get(self) -> Union[str, BackgroundPicture, None]:
        """Uploads the picture on first use."""
        if self._picture is None:
            return self._given
        with self._lock:
            if self.url is None:
                self.url = self._client.upload(
                    self._picture, direct=self._direct, idempotency_key=self._idempotency_key
                ).url
        picture: BackgroundPicture = {"sourceUrl": self.url}
        if self._fit is not None:
            picture["fit"] = self._fit
        return picture


def whole(low: int, high: int) -> Callable[[str], int]:
    """Parses a flag that takes a whole number."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f'must be a whole number from {low} to {high}, not "{text}"')
        return int(text)

    return read


def _decimal(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f'must be a number from {low} to {high}, not "{text}"')
        return value

    return read
