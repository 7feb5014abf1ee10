"""Invented writing: an alphabet of strokes, typeset in lines of words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import ImageDraw

Rng = np.random.Generator
Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""
Color = tuple[int, int, int]


@dataclass(frozen=True)
class Hand:
    """The appearance of letters. Lengths are fractions of the line spacing."""

    letters: list[list[np.ndarray]]
    """Strokes [K,2] of each, x and y, in a box of 1 by 1."""
    wide: float
    """From letter to letter."""
    tall: float
    thick: float
    slant: float
    gap: float
    """Between words."""


def hand(rng: Rng) -> Hand:
    """An alphabet of random weight and width."""
    return Hand(
        letters=[letter(rng) for _ in range(rng.integers(6, 30))],
        wide=rng.uniform(0.25, 0.65),
        tall=rng.uniform(0.4, 0.8),
        thick=rng.uniform(0.04, 0.14),
        slant=rng.choice([0.0, rng.uniform(-0.1, 0.4)], p=[0.7, 0.3]),
        gap=rng.uniform(0.15, 0.6),
    )


def letter(rng: Rng) -> list[np.ndarray]:
    """One to three bars, slants, bows or rings; some leave the upper third empty."""
    low = rng.choice([0.0, 0.35])
    strokes = []
    for _ in range(rng.integers(1, 4)):
        if rng.random() < 0.4:
            turn = rng.uniform(0, 2 * np.pi) + np.linspace(0, rng.choice([np.pi, 2 * np.pi]), 9)
            points = np.stack([np.cos(turn), np.sin(turn)], 1) * 0.5 + 0.5
        else:
            points = rng.choice([0.0, 0.5, 1.0], (2, 2))
        strokes.append(points * (1, 1 - low) + (0, low))
    return strokes


@dataclass(frozen=True)
class Scribe:
    """Writes text on a picture. `pitch`: line spacing in pixels."""

    rng: Rng
    pen: ImageDraw.ImageDraw
    hand: Hand
    pitch: float
    ink: Color

    def fill(self, box: Box) -> None:
        """Lines over the full width. Some paragraphs end early, and some lines stay empty."""
        left, top, right, bottom = box
        y = top + self.pitch * 0.2
        while y + self.pitch * self.hand.tall < bottom:
            end = right if self.rng.random() < 0.8 else left + (right - left) * self.rng.random()
            if self.rng.random() < 0.92:
                self._line(left + self.pitch * 0.2, y, end)
            y += self.pitch

    def _line(self, x: float, y: float, end: float) -> None:
        step = self.hand.wide * self.pitch
        while x + step < end:
            for _ in range(1 + self.rng.poisson(4)):
                if x + step >= end:
                    return
                self._letter(x, y)
                x += step
            x += self.hand.gap * self.pitch

    def _letter(self, x: float, y: float) -> None:
        width = max(1, round(self.hand.thick * self.pitch))
        for stroke in self.hand.letters[self.rng.integers(len(self.hand.letters))]:
            points = stroke * (self.hand.wide * 0.8, self.hand.tall)
            points[:, 0] += (self.hand.tall - points[:, 1]) * self.hand.slant
            placed = points * self.pitch + (x, y)
            self.pen.line([(px, py) for px, py in placed], fill=self.ink, width=width, joint="curve")
