"""Pages of text, which fill a picture from edge to edge and contain no subject."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from PIL import Image, ImageDraw

from drawing.letters import Box, Color, Scribe, hand
from drawing.palette import Palette

Rng = np.random.Generator
FINER = 3
"""Drawn that much larger and made smaller again: letters have soft edges."""
PITCH = (0.016, 0.13)
"""Least and largest distance of two lines, in parts of the page."""


class Pages:
    """Draws float32 [size,size,3] pictures, 0..1."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def draw(self, size: int) -> np.ndarray:
        """Columns, bands, or a table, dark on light or light on dark, straight or rotated."""
        rng = self._rng
        paper, ink = self._colors()
        page = Image.new("RGB", (size * FINER, size * FINER), paper)
        {"columns": self._columns, "bands": self._bands, "table": self._table}[
            rng.choice(["columns", "bands", "table"], p=[0.6, 0.2, 0.2])
        ](page, paper, ink)
        page = page.reduce(FINER)
        if rng.random() < 0.4:
            angle = rng.normal(0, 4) + rng.choice([0, 90], p=[0.8, 0.2])
            page = page.rotate(angle, Image.Resampling.BILINEAR, fillcolor=paper)
        return np.asarray(page, np.float32) / 255

    def _colors(self) -> tuple[Color, Color]:
        """Colors of paper and ink: mostly near white and near black, in either order."""
        rng = self._rng
        light, dark = 1 - rng.uniform(0, 0.2, 3) * rng.random(), rng.uniform(0, 0.3, 3) * rng.random()
        if rng.random() < 0.3:
            dark = np.asarray(Palette(rng).color()) * 0.6
        if rng.random() < 0.15:
            light = np.asarray(Palette(rng).color())
        pair = (_bytes(light), _bytes(dark))
        return pair if rng.random() < 0.75 else pair[::-1]

    def _columns(self, page: Image.Image, _paper: Color, ink: Color) -> None:
        count = int(self._rng.choice([1, 2, 3], p=[0.6, 0.2, 0.2]))
        pitch, inset = self._pitch(), 0.02 * (count > 1)
        for left, top, right, bottom in cells(self._margin(), count, 1):
            box = scaled((left + inset, top, right - inset, bottom), page.width)
            self._scribe(page, pitch, ink).fill(box)

    def _table(self, page: Image.Image, _paper: Color, ink: Color) -> None:
        rng, pen = self._rng, ImageDraw.Draw(page)
        pitch = self._pitch()
        for cell in cells(self._margin(), int(rng.integers(2, 6)), int(rng.integers(3, 12))):
            box = scaled(cell, page.width)
            pen.rectangle(box, outline=ink, width=int(rng.integers(1, 5)))
            self._scribe(page, pitch, ink).fill(box)

    def _bands(self, page: Image.Image, paper: Color, ink: Color) -> None:
        """Full-width bands, because a filled band that ended before the border would look like a subject."""
        for cell in cells(0.0, 1, int(self._rng.integers(2, 5))):
            box, color = scaled(cell, page.width), ink
            if self._rng.random() < 0.4:
                ImageDraw.Draw(page).rectangle(box, fill=ink)
                color = paper
            self._scribe(page, self._pitch(), color).fill(box)

    def _scribe(self, page: Image.Image, pitch: float, ink: Color) -> Scribe:
        return Scribe(self._rng, ImageDraw.Draw(page), hand(self._rng), pitch * page.width, ink)

    def _pitch(self) -> float:
        return float(np.exp(self._rng.uniform(*np.log(PITCH))))

    def _margin(self) -> float:
        return float(self._rng.choice([0.0, self._rng.uniform(0, 0.12)]))


def cells(margin: float, across: int, down: int) -> Iterator[Box]:
    """Cells of a grid inside the margin, row by row, as fractions of the page."""
    columns, rows = (np.linspace(margin, 1 - margin, count + 1) for count in (across, down))
    for top, bottom in pairwise(rows):
        for left, right in pairwise(columns):
            yield left, top, right, bottom


def scaled(box: Box, side: int) -> Box:
    """Converts fractions of the page to pixels."""
    left, top, right, bottom = (float(part) * side for part in box)
    return left, top, right, bottom


def _bytes(color: np.ndarray) -> Color:
    red, green, blue = (int(c) for c in np.clip(color, 0, 1) * 255)
    return red, green, blue
