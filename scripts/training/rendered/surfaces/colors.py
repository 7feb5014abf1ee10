"""Typical colors of surfaces: many neutral, most muted, few bright. Linear RGB."""

from __future__ import annotations

import colorsys

import numpy as np

Rng = np.random.Generator
Color = tuple[float, float, float]

SKIN = (
    "#f6ede4",
    "#f3e7db",
    "#f0d2b4",
    "#eadaba",
    "#d7bd96",
    "#a07e56",
    "#825c43",
    "#604134",
    "#3a312a",
    "#292420",
)
"""The Monk skin tone scale (Monk 2022, CC BY 4.0), sRGB; its middle is warmer here, as skin with blood is."""
HAIR = (
    "#0b0807",
    "#1a100b",
    "#2c1a10",
    "#4a2c17",
    "#6e4526",
    "#a07443",
    "#c9a66b",
    "#7b2f14",
    "#8f8a84",
    "#dedad4",
)


def linear(code: str) -> Color:
    """From "#rrggbb"."""
    values = np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return tuple(
        float(v) for v in np.where(values < 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    )


def any_color(rng: Rng) -> Color:
    """The color of an artificial object."""
    kind = rng.random()
    if kind < 0.3:
        saturation, value = rng.uniform(0, 0.08), rng.uniform(0.08, 0.95)
    elif kind < 0.75:
        saturation, value = rng.uniform(0.15, 0.55), rng.uniform(0.15, 0.9)
    else:
        saturation, value = rng.uniform(0.6, 0.95), rng.uniform(0.35, 0.95)
    return from_hsv(rng.random(), saturation, value)


def from_hsv(hue: float, saturation: float, value: float) -> Color:
    """sRGB hue, saturation and value, each 0 to 1."""
    r, g, b = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return linear(f"#{round(r * 255):02x}{round(g * 255):02x}{round(b * 255):02x}")


def varied(rng: Rng, color: Color, amount: float = 0.2) -> Color:
    """A lighter or darker color with a slightly different hue."""
    factor = np.exp(rng.normal(0, amount)) * np.exp(rng.normal(0, amount / 4, 3))
    return tuple(float(v) for v in np.clip(np.array(color) * factor, 0.003, 0.95))


def skin_color(rng: Rng) -> Color:
    """A human skin color, uniformly distributed over the scale."""
    t = rng.uniform(0, len(SKIN) - 1)
    low, high = linear(SKIN[int(t)]), linear(SKIN[min(int(t) + 1, len(SKIN) - 1)])
    mixed = np.array(low) + (np.array(high) - low) * (t % 1)
    return tuple(float(v) for v in mixed * np.array([1.05, 0.9, 0.82]))


def hair_color(rng: Rng) -> Color:
    """A hair color; dark ones are the most frequent."""
    share = np.array([3, 3, 3, 2.5, 2, 1, 1, 0.5, 0.7, 0.5])
    return varied(rng, linear(HAIR[rng.choice(len(HAIR), p=share / share.sum())]), 0.15)
