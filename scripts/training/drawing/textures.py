"""Gray procedural textures in [-1, 1], which modulate drawn surfaces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Rng = np.random.Generator


def power_noise(rng: Rng, size: int, slope: float) -> np.ndarray:
    """Gaussian noise with amplitude spectrum 1/f^slope (natural images: about 1; Field 1987)."""
    fy = np.fft.fftfreq(size)[:, None]
    fx = np.fft.rfftfreq(size)[None, :]
    stretch = np.exp(rng.uniform(-0.7, 0.7))
    frequency = np.sqrt((fy * stretch) ** 2 + (fx / stretch) ** 2)
    frequency[0, 0] = 1.0
    spectrum = np.exp(2j * np.pi * rng.random(frequency.shape)) / frequency**slope
    spectrum[0, 0] = 0.0
    return _unit(np.fft.irfft2(spectrum, s=(size, size)))


def clouds(rng: Rng, size: int) -> np.ndarray:
    """Smooth to rough 1/f noise."""
    return power_noise(rng, size, rng.uniform(0.6, 1.9))


def grain(rng: Rng, size: int) -> np.ndarray:
    """Fine, almost white grain: sand, plaster, or cloth at a distance."""
    return power_noise(rng, size, rng.uniform(0.1, 0.6))


def stripes(rng: Rng, size: int) -> np.ndarray:
    """Sine to square stripes, distorted by noise: cloth, blinds, or fur at a distance."""
    _, x = _turned_grid(rng, size)
    period = np.exp(rng.uniform(np.log(3), np.log(40)))
    bend = power_noise(rng, size, 1.8) * rng.uniform(0, 0.6) * period
    wave = np.sin(2 * np.pi * (x + bend) / period)
    return np.tanh(wave * np.exp(rng.uniform(-0.5, 2.5)))


def checks(rng: Rng, size: int) -> np.ndarray:
    """Checks and weave."""
    y, x = _turned_grid(rng, size)
    period = np.exp(rng.uniform(np.log(5), np.log(48)))
    aspect = np.exp(rng.uniform(-0.7, 0.7))
    wave = np.sin(2 * np.pi * x / period) * np.sin(2 * np.pi * y / (period * aspect))
    return np.tanh(wave * np.exp(rng.uniform(0, 2.5)))


def bricks(rng: Rng, size: int) -> np.ndarray:
    """Courses of bricks with joints and uneven tone."""
    y, x = _turned_grid(rng, size)
    height = rng.uniform(8, 32)
    width = height * rng.uniform(1.2, 3.5)
    course = np.floor(y / height)
    column = np.floor(x / width + 0.5 * (course % 2))
    tone = np.sin(course * 12.9898 + column * 78.233) * 0.6
    joint = rng.uniform(0.05, 0.15)
    inside = (y / height % 1 > joint) & ((x / width + 0.5 * (course % 2)) % 1 > joint)
    return np.where(inside, tone, rng.choice([-1.0, 1.0]))


def rings(rng: Rng, size: int) -> np.ndarray:
    """Wood: distorted concentric rings."""
    y, x = _turned_grid(rng, size)
    cy, cx = rng.uniform(-size, 2 * size, 2)
    distance = np.hypot(y - cy, (x - cx) * rng.uniform(0.1, 1))
    bend = power_noise(rng, size, 1.7) * rng.uniform(1, 8)
    return np.sin(2 * np.pi * (distance + bend) / rng.uniform(4, 24))


def spots(rng: Rng, size: int) -> np.ndarray:
    """Thresholded band noise: leaves, pebbles, spots, bokeh."""
    noise = power_noise(rng, size, rng.uniform(0.9, 1.6))
    fine = power_noise(rng, size, 0.5) * 0.15
    return np.tanh((noise + fine - rng.uniform(-0.3, 0.3)) * rng.uniform(3, 20))


def strands(rng: Rng, size: int) -> np.ndarray:
    """Noise stretched along one direction: hair, grass, brushed metal, water."""
    y, x = _turned_grid(rng, size)
    noise = power_noise(rng, size, rng.uniform(0.2, 0.8))
    stretch = rng.uniform(6, 30)
    bend = power_noise(rng, size, 2.0) * rng.uniform(0, 12)
    rows = np.mod((y / stretch).astype(int), size)
    return noise[rows, np.mod((x + bend).astype(int), size)]


FAMILIES: tuple[Callable[[Rng, int], np.ndarray], ...] = (
    clouds,
    clouds,
    clouds,
    grain,
    stripes,
    checks,
    bricks,
    rings,
    spots,
    strands,
    strands,
)


def texture_bank(rng: Rng, count: int, size: int) -> np.ndarray:
    """float32 [count,size,size], to crop from."""
    draw = (FAMILIES[rng.integers(len(FAMILIES))](rng, size) for _ in range(count))
    return np.stack([texture.astype(np.float32) for texture in draw])


def _unit(field: np.ndarray) -> np.ndarray:
    return np.clip(field / (2.5 * field.std() + 1e-9), -1, 1)


def _turned_grid(rng: Rng, size: int) -> tuple[np.ndarray, np.ndarray]:
    angle = rng.uniform(0, np.pi)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    return x * np.sin(angle) + y * np.cos(angle), x * np.cos(angle) - y * np.sin(angle)
