import { GraphWriter, type Value } from './graph-writer.js';
import { cast, multiply, slice, subtract, transpose, unsqueeze } from './operators.js';
import { closeCutout, openTile, type TilePixels } from './pixels.js';

const OPSET = 17;
const IR_VERSION = 8;

/**
 * A render graph without a file: samples the alpha map of an analyse stage at every pixel of a tile (bilinear,
 * half-pixel centers, by two matrix products with weights computed from `window`) and returns RGBA.
 * @param map name of the analyse output, float32 [N,1,size,size], 0–1
 */
export function composeMatte(map: string, size: number): Uint8Array {
  const g = new GraphWriter(OPSET);
  const tile = openTile(g);
  const window = g.input('window', 'float32', ['N', 4]);
  const plane = g.input(map, 'float32', ['N', 1, size, size]);
  const rows = g.op('MatMul', [weights(g, tile, window, 0, size), plane]);
  const columns = transpose(g, weights(g, tile, window, 1, size), [0, 1, 3, 2]);
  closeCutout(g, tile, g.op('MatMul', [rows, columns]));
  return g.model(IR_VERSION);
}

/** Bilinear weights [N,1,L,size] of the tile's pixels along an axis (0 rows, 1 columns), clamped to the border. */
function weights(g: GraphWriter, tile: TilePixels, window: Value, axis: number, size: number): Value {
  const places = multiply(g, centers(g, tile, window, axis), size);
  const at = g.op('Clip', [subtract(g, places, 0.5), g.constant(0), g.constant(size - 1)]);
  const cells = g.constant(Array.from({ length: size }, (_, index) => index));
  const distance = g.op('Abs', [subtract(g, unsqueeze(g, unsqueeze(g, at, 1), 3), cells)]);
  return g.op('Relu', [subtract(g, g.constant(1), distance)]);
}

/** Pixel centers along an axis in units of the whole image, [N,L]. */
function centers(g: GraphWriter, tile: TilePixels, window: Value, axis: number): Value {
  const length = g.op('Gather', [g.op('Shape', [tile.source]), g.constant(axis + 1, 'int64')]);
  const edge = cast(g, length, 'float32');
  const index = g.op('Range', [g.constant(0), edge, g.constant(1)]);
  const share = g.op('Div', [g.op('Add', [index, g.constant(0.5)]), edge]);
  const low = slice(g, window, 1, axis, axis + 1);
  const high = slice(g, window, 1, axis + 2, axis + 3);
  return g.op('Add', [low, g.op('Mul', [unsqueeze(g, share, 0), subtract(g, high, low)])]);
}
