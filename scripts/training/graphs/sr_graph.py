"""The render graph of `upscale`: bytes in, the network, pixel shuffle, bytes out."""

from __future__ import annotations

from pathlib import Path

from graphs.graph import FLOAT, Graph, Value
from graphs.pixels import Pixels, open_tile, publish, size, to_bytes
from networks.sr_net import SrNet, emit, enlarge_phases


def write_graph(net: SrNet, path: Path) -> None:
    """Color from the network, alpha from bicubic."""
    g, factor = Graph("upscale"), net.shape.factor
    tile = open_tile(g)
    rgb = to_bytes(g, emit(g, net, tile.rgb * (1 / 255)) * 255.0)
    publish(g, shuffle(g, tile, rgb, alpha_phases(g, tile, factor), factor))
    g.save(path)


def alpha_phases(g: Graph, tile: Pixels, factor: int) -> Value:
    """Bicubic alpha as uint8 [N,(C-3)·factor²,H,W]; empty if the source has none.

    In that case, one unused pixel is computed, because GPU providers reject an empty convolution.
    """
    channels, one = size(g, tile.source, 3), g.ints(1)
    has_alpha = g.op("Sub", channels, g.ints(3))

    def most(axis: int) -> Value:
        rest = g.op("Sub", size(g, tile.source, axis), one)
        return g.op("Add", one, g.op("Mul", has_alpha, rest))

    starts = g.concat([g.op("Sub", channels, one), g.ints(0, 0)], 0)
    ends = g.concat([channels, most(1), most(2)], 0)
    last = g.cast(g.op("Slice", tile.planes, starts, ends, g.ints(1, 2, 3)), FLOAT)
    phases = to_bytes(g, enlarge_phases(g, last, factor, 1))
    return g.op("Slice", phases, g.ints(0), g.op("Mul", has_alpha, g.ints(factor**2)), g.ints(1))


def shuffle(g: Graph, tile: Pixels, rgb: Value, alpha: Value, factor: int) -> Value:
    """Pixel shuffle from phases (channel-major, like torch's) to uint8 [N,H·factor,W·factor,C].

    Works row by row of a source pixel, each a plain transpose of planes into pixels. Runtimes do this several
    times faster than a single shuffle of five axes, or DepthToSpace and a transpose.
    """
    n, h, w, c = (size(g, tile.source, axis) for axis in range(4))
    phases, rows = g.ints(factor**2), g.ints(factor)
    both = [
        g.op("Reshape", planes, g.concat([n, channels, phases, h, w], 0), allowzero=1)
        for planes, channels in [(rgb, g.ints(3)), (alpha, g.op("Sub", c, g.ints(3)))]
    ]
    by_place = g.op("Transpose", g.concat(both, 1), perm=[0, 2, 1, 3, 4])
    row_channels = g.op("Mul", c, rows)
    by_row = g.op("Reshape", by_place, g.concat([n, rows, row_channels, h, w], 0))
    lines = []
    for row in range(factor):
        planes = g.op("Reshape", g.slice(by_row, row, row + 1, 1), g.concat([n, row_channels, h, w], 0))
        pixels = g.op("Transpose", planes, perm=[0, 2, 3, 1])
        line = g.concat([n, h, g.ints(1), g.op("Mul", w, row_channels)], 0)
        lines.append(g.op("Reshape", pixels, line))
    shape = g.concat([n, g.op("Mul", h, rows), g.op("Mul", w, rows), c], 0)
    return g.op("Reshape", g.concat(lines, 2), shape)
