"""The graphs of `auto_enhance`: measure the picture, then tone it without halos.

The picture is split into an edge-aware base (guided filter) and detail. The curve applies only to the base,
so local contrast is kept when shadows are lifted (Durand, Dorsey 2002). The curve (1+k)·t / (1+k·t) has the
slope 1+k at black: it opens shadows with a bounded noise gain. `tone_net` determines what a picture needs. A
picture that needs little stays unchanged.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graphs.boxes import box, pool
from graphs.graph import FLOAT, Graph, Value
from graphs.guided import gray_coefficients
from graphs.picture_stats import measure
from graphs.pixels import close_tile, highest, lowest, luma, open_tile, open_whole
from graphs.window import Window
from networks.tone_net import ToneNet, emit_tone, emit_traits

SIZE = 256
CELLS = 64
TONE = 10
"""Coefficients: gains r, g, b; black; white scale; lift k; contrast; color; fill light; need."""
NEED = (0.012, 0.05)
"""Mean change (of 1) below which a picture counts as finished, and from which on all of it is done."""
FILL = 0.6
DARK = (0.2, 0.5)
"""Lightness of the darkest quarter between which a picture may be darkened."""
BRIGHT = (0.55, 0.8)
"""Lightness of the brightest quarter between which a picture with a dark one counts as full of contrast."""
MAX_LIFT = 1.3
"""Logarithm of the slope at black: more would lift noise."""
TINGE = (0.0, 0.05)
"""Mean saturation between which white balance comes in: a picture without colors gets none."""
FLAT = (0.03, 0.15)
"""Range of lightness between which anything is done: a wall is no underexposed scene."""
DUSK = (0.06, 0.3)
"""Mean lightness between which white balance comes in."""
HALO = 8
NOISY = (1.6, 3.5)
"""Gain from which noise is averaged away, and from which all of it is."""
GRAIN = 0.025
"""Deviation of lightness, where shadows are lifted much, that is half averaged away."""


def write_analyse(net: ToneNet, path: Path) -> None:
    """Outputs: `tone` [TONE] and `light` [2,S,S], the coefficients from brightness to its base."""
    g = Graph("analyse")
    rgb = open_whole(g, SIZE)
    cells = pool(g, rgb, SIZE // CELLS)
    tone = _coefficients(g, emit_tone(g, net, emit_traits(g, cells, CELLS * CELLS)), cells)
    bright = brightness(g, _stretch(g, rgb, tone))
    light = gray_coefficients(g, bright, bright, 14, 0.012)
    g.output(g.op("Reshape", tone, g.ints(0, TONE)), "tone", FLOAT, ["N", TONE])
    g.output(light, "light", FLOAT, ["N", 2, SIZE, SIZE])
    g.save(path)


def _coefficients(g: Graph, wanted: Value, cells: Value) -> Value:
    """[N,TONE,1,1] from the network. Fill light and need are measured on the result."""
    gains, rest = g.slice(wanted, 0, 3, 1), [g.slice(wanted, i, i + 1, 1) for i in range(3, 8)]
    black, scale, lift, contrast, color = rest
    # In dark pictures, a color more likely belongs to the scene than to the camera.
    stats = measure(g, cells, CELLS**2, (1, 25, 75, 99))
    gains = gains * g.smoothstep(stats.mean, *DUSK) * g.smoothstep(stats.saturation, *TINGE)
    full = g.smoothstep(stats.quantiles[25], *DARK[::-1]) * g.smoothstep(stats.quantiles[75], *BRIGHT)
    # Black stays black. Dark areas in front of bright light are not darkened further.
    black = g.op("Relu", black) * (1.0 - full)
    contrast = contrast * (1.0 - full)
    # White paper stays white, and dark areas are not darkened for the sake of a bright sky.
    scale = g.op("Relu", scale)
    darken = g.op("Min", lift, g.constant(np.float32(0))) * g.smoothstep(stats.quantiles[25], *DARK)
    darken = darken * g.smoothstep(stats.quantiles[99], 1.0, 0.95)  # clipped white cannot be recovered
    lift = g.clip(lift, 0.0, MAX_LIFT) + darken
    level = g.op("Exp", gains - luma(g, gains))
    factor, k = g.op("Exp", scale) / (1.0 - black), g.op("Exp", lift) - 1.0
    plain = g.concat([level, black, factor, k, contrast, color, black * 0.0], 1)
    result = g.clip(_toned(g, cells, plain, None), 0.0, 1.0)
    change = g.op("GlobalAveragePool", g.op("Abs", result - cells))
    need = g.smoothstep(g.op("ReduceMean", change, axes=[1], keepdims=1), *NEED)
    need = need * g.smoothstep(stats.quantiles[99] - stats.quantiles[1], *FLAT)
    quarter = measure(g, result, CELLS**2, (25,)).quantiles[25]
    fill = g.smoothstep(quarter, 0.3, 0.05) * FILL
    return g.concat([level, black, factor, k, contrast, color, fill, need], 1)


def brightness(g: Graph, rgb: Value) -> Value:
    """A value between luma and the largest channel, so that vivid colors are not lifted into clipping."""
    return (luma(g, rgb) + highest(g, rgb)) * 0.5


def _stretch(g: Graph, rgb: Value, tone: Value) -> Value:
    """White balance, black and white point."""
    gains, black, scale = (g.slice(tone, a, b, 1) for a, b in ((0, 3), (3, 4), (4, 5)))
    return g.op("Relu", rgb * gains - black) * scale


def write_render(path: Path) -> None:
    """Apply `tone` and `light`, blended with the source by `strength` and by how much the picture needs."""
    g = Graph("tone")
    tile = open_tile(g)
    window = Window(g, tile.source)
    strength = g.op("Reshape", g.input("strength", FLOAT, ["N"]), g.ints(-1, 1, 1, 1))
    tone = g.op("Reshape", g.input("tone", FLOAT, ["N", TONE]), g.ints(0, TONE, 1, 1))
    light = window.sample(g.input("light", FLOAT, ["N", 2, SIZE, SIZE]), SIZE)
    toned = _toned(g, tile.rgb * (1 / 255), tone, light)
    share = strength * g.slice(tone, TONE - 1, TONE, 1)
    close_tile(g, tile, tile.rgb + share * (toned * 255.0 - tile.rgb))
    g.save(path)


def _toned(g: Graph, rgb: Value, tone: Value, light: Value | None) -> Value:
    """Pixels [N,3,H,W] with `tone` applied. Without `light`, each pixel is its own base."""
    lift, contrast, color, fill = (g.slice(tone, i, i + 1, 1) for i in (5, 6, 7, 8))
    balanced = _stretch(g, rgb, tone)
    bright = brightness(g, balanced)
    blurred = bright if light is None else g.slice(light, 0, 1, 1) * bright + g.slice(light, 1, 2, 1)
    base = g.clip(blurred, 0.0, 1.0)
    gain = (1.0 + lift) / (1.0 + lift * base)
    shade = g.op("Relu", 1.0 - gain * base * (1 / 0.4))
    gain = gain * (1.0 + fill * shade * shade)  # fill light only where the base is dark, too
    lifted = g.clip(gain * base, 0.0, 1.0)
    gain = gain * (1.0 + contrast * 4.0 * (1.0 - lifted) * (lifted - 0.42))
    calm = balanced if light is None else _calm(g, balanced, bright, gain)
    detail = g.clip((bright - base) / (bright + 0.1), -0.4, 0.4)
    toned = calm * gain * (1.0 + detail * (0.22 / (0.6 + 0.4 * gain)))
    gray = luma(g, toned)
    high, low = highest(g, toned), lowest(g, toned)
    dull = g.op("Relu", 1.0 - (high - low) / (high + 0.05))  # less for skin and vivid colors
    vivid = gray + (toned - gray) * (1.0 + color * dull)
    return _shoulder(g, vivid)


def _calm(g: Graph, rgb: Value, bright: Value, gain: Value) -> Value:
    """Where shadows are lifted strongly, averages out color noise and half of the fine grain.

    Tiles without such places skip the averages, which take half of the time.
    """
    is_lifted = g.op("Greater", g.op("ReduceMax", gain, keepdims=0), NOISY[0])
    return g.when(is_lifted, lambda: _denoised(g, rgb, bright, gain), rgb)


def _denoised(g: Graph, rgb: Value, bright: Value, gain: Value) -> Value:
    noisy = g.smoothstep(gain, *NOISY)
    color = rgb - bright
    near = box(g, g.concat([bright, bright * bright, color], 1), 3)
    mean, square = g.slice(near, 0, 1, 1), g.slice(near, 1, 2, 1)
    variance = g.op("Relu", square - mean * mean)
    rough = variance / (variance + GRAIN**2)
    smooth = mean + rough * (bright - mean)
    soft = g.slice(near, 2, 5, 1)
    kept = g.smoothstep(variance, 0.0004, 0.004)
    calm_color = soft + kept * (color - soft)
    return rgb + noisy * (smooth + calm_color - rgb)


def _shoulder(g: Graph, rgb: Value) -> Value:
    """Colors beyond white are reduced along their own hue: the channels share one soft limit."""
    high = highest(g, rgb)
    over = g.op("Relu", high - 0.97)
    limited = g.op("Min", high, g.constant(np.float32(0.97))) + over / (1.0 + over * (1 / 0.03))
    return rgb * (limited / (high + 1e-4))
