"""Guided filters as linear coefficients: a small map becomes edge-aware at full resolution.

He, Sun, Tang 2013, "Guided image filtering"; coefficients from a small image applied to the large one: He,
Sun 2015, "Fast guided filter". `map ≈ a · guide + b` around every pixel.
"""

from __future__ import annotations

from graphs.boxes import box
from graphs.graph import Graph, Value
from graphs.pixels import channels


def gray_coefficients(g: Graph, guide: Value, target: Value, radius: int, epsilon: float) -> Value:
    """(a, b) [N,2,H,W] for a one-channel guide and target [N,1,H,W]."""
    means = box(g, g.concat([guide, target, guide * target, guide * guide], 1), radius)
    mean_i, mean_p, mean_ip, mean_ii = g.ops("Split", 4, means, axis=1)
    a = (mean_ip - mean_i * mean_p) / (mean_ii - mean_i * mean_i + epsilon)
    return box(g, g.concat([a, mean_p - a * mean_i], 1), radius)


def color_coefficients(g: Graph, rgb: Value, target: Value, radius: int, epsilon: float) -> Value:
    """(a_r, a_g, a_b, b) [N,4,H,W] for a color guide [N,3,H,W] and a target [N,1,H,W]."""
    red, green, blue = channels(g, rgb)
    products = [red * red, red * green, red * blue, green * green, green * blue, blue * blue]
    filtered = box(g, g.concat([rgb, target, rgb * target, *products], 1), radius)
    # Not a single Split: a GPU shader can bind about ten buffers, and thirteen outputs exceed that.
    means = [g.slice(filtered, channel, channel + 1, 1) for channel in range(13)]
    mr, mg, mb, mp = means[:4]
    cov_r, cov_g, cov_b = means[4] - mr * mp, means[5] - mg * mp, means[6] - mb * mp
    rr, rg, rb = means[7] - mr * mr + epsilon, means[8] - mr * mg, means[9] - mr * mb
    gg, gb, bb = means[10] - mg * mg + epsilon, means[11] - mg * mb, means[12] - mb * mb + epsilon
    # The inverse of a symmetric 3×3 matrix, written out: adjugate over determinant.
    i_rr, i_rg, i_rb = gg * bb - gb * gb, gb * rb - rg * bb, rg * gb - gg * rb
    i_gg, i_gb, i_bb = rr * bb - rb * rb, rb * rg - rr * gb, rr * gg - rg * rg
    inverse = 1.0 / (i_rr * rr + i_rg * rg + i_rb * rb)
    a_r = (i_rr * cov_r + i_rg * cov_g + i_rb * cov_b) * inverse
    a_g = (i_rg * cov_r + i_gg * cov_g + i_gb * cov_b) * inverse
    a_b = (i_rb * cov_r + i_gb * cov_g + i_bb * cov_b) * inverse
    b = mp - a_r * mr - a_g * mg - a_b * mb
    return box(g, g.concat([a_r, a_g, a_b, b], 1), radius)


def apply_color(g: Graph, coefficients: Value, rgb: Value) -> Value:
    """a · rgb + b, [N,1,H,W]."""
    a_r, a_g, a_b, b = g.ops("Split", 4, coefficients, axis=1)
    red, green, blue = channels(g, rgb)
    return a_r * red + a_g * green + a_b * blue + b
