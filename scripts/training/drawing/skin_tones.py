"""Skin colors of the whole human range, computed from optics instead of sampled from people.

Epidermis: absorption by melanin, passed twice. Dermis: Kubelka-Munk reflectance with blood. Coefficients:
Jacques 1998, "Skin Optics" (Oregon Medical Laser Center News); hemoglobin: Prahl's tabulation. Three bands
represent the sRGB primaries.
"""

from __future__ import annotations

import numpy as np

Rng = np.random.Generator

BANDS_NM = np.array([610.0, 550.0, 465.0])
MELANOSOME_PER_CM = 6.6e11 * BANDS_NM**-3.33
BASELINE_PER_CM = 0.244 + 85.3 * np.exp(-(BANDS_NM - 154) / 66.2)
BLOOD_PER_CM = np.array([18.7, 244.0, 187.0])
SCATTERING_PER_CM = 46 * (BANDS_NM / 500) ** -1.42
EPIDERMIS_CM = 0.006
PATH_FACTOR = 2.0
"""Diffuse light crosses the epidermis obliquely."""


def skin_reflectance(melanin: np.ndarray, blood: np.ndarray) -> np.ndarray:
    """Linear RGB [...,3] of volume fractions: melanin 0.01 (pale) .. 0.43 (deep), blood 0.01 .. 0.08."""
    melanin, blood = melanin[..., None], blood[..., None]
    epidermis = melanin * MELANOSOME_PER_CM + (1 - melanin) * BASELINE_PER_CM
    passed = np.exp(-2 * PATH_FACTOR * EPIDERMIS_CM * epidermis)
    absorbed = 2 * (blood * BLOOD_PER_CM + (1 - blood) * BASELINE_PER_CM)
    ratio = absorbed / (0.75 * SCATTERING_PER_CM)
    return passed * (1 + ratio - np.sqrt(ratio**2 + 2 * ratio))


def draw_skin(rng: Rng, count: int) -> np.ndarray:
    """Linear RGB [count,3] under white light. Every depth of tone is equally likely."""
    melanin = np.exp(rng.uniform(np.log(0.012), np.log(0.40), count))
    blood = np.exp(rng.uniform(np.log(0.010), np.log(0.055), count))
    gloss = rng.uniform(0.004, 0.05, (count, 1))  # reflection of the light itself, which grays deep tones
    return skin_reflectance(melanin, blood) + gloss


def light(rng: Rng, linear: np.ndarray) -> np.ndarray:
    """Shade and light [count,3]: exposure, residual color cast, and flatness; sRGB 0..1."""
    count = len(linear)
    exposure = np.exp(rng.normal(0.25, 0.55, (count, 1)))
    warmth = rng.normal(0.05, 0.15, count)
    tint = rng.normal(0, 0.05, count)
    gains = np.exp(np.stack([warmth, tint, -warmth], 1))
    shot = encode(np.clip(linear * exposure * gains, 0, 1))
    flat = 0.3 * rng.random((count, 1)) ** 2  # haze, flare and flat camera profiles
    return shot + flat * (shot.mean(1, keepdims=True) - shot)


def encode(linear: np.ndarray) -> np.ndarray:
    """sRGB transfer, IEC 61966-2-1."""
    return np.where(
        linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-6) ** (1 / 2.4) - 0.055
    )
