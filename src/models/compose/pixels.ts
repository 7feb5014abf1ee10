import type { GraphWriter, Value } from './graph-writer.js';
import { cast, concat, shapeOf, slice, toBytes, transpose } from './operators.js';

/** Name of a render graph's only output. It cannot be `image`, which is the name of the input. */
export const RESULT = 'enhanced';

/** A tile split into its parts. */
export interface TilePixels {
  /** uint8 [N,H,W,C], C = 3 or 4. */
  readonly source: Value;
  /** float32 [N,3,H,W], 0–255. */
  readonly rgb: Value;
  /** uint8 [N,1,H,W]; 255 if the source has no alpha. */
  readonly alpha: Value;
}

/** Declares the render input `image` and splits it; the number of channels is read at run time. */
export function openTile(g: GraphWriter): TilePixels {
  const source = g.input('image', 'uint8', ['N', 'H', 'W', 'C']);
  const plane = concat(g, [shapeOf(g, source, 0, 3), g.constant([1], 'int64')], 0);
  const opaque = g.op('Expand', [g.constant([255], 'uint8', [1, 1, 1, 1]), plane]);
  const planes = transpose(g, concat(g, [source, opaque], 3), [0, 3, 1, 2]);
  return { source, rgb: cast(g, slice(g, planes, 1, 0, 3), 'float32'), alpha: slice(g, planes, 1, 3, 4) };
}

/** Declares the analyse input `image` uint8 [N,size,size,3]; returns float32 [N,3,size,size], 0–255. */
export function openWhole(g: GraphWriter, size: number): Value {
  const source = g.input('image', 'uint8', ['N', size, size, 3]);
  return cast(g, transpose(g, source, [0, 3, 1, 2]), 'float32');
}

/**
 * Declares the result with as many channels as the source has.
 * @param rgb float32 [N,3,H',W'], 0–255 @param alpha float32 or uint8 [N,1,H',W']
 */
export function closeTile(g: GraphWriter, tile: TilePixels, rgb: Value, alphaBytes: Value): void {
  const pixels = transpose(g, concat(g, [toBytes(g, rgb), alphaBytes], 1), [0, 2, 3, 1]);
  g.output(slice(g, pixels, 3, 0, shapeOf(g, tile.source, 3, 4)), RESULT, 'uint8', ['N', 'H2', 'W2', 'C2']);
}

/** Declares an RGBA result: the source's colors, and its own alpha times `alpha` float32 [N,1,H,W], 0–1. */
export function closeCutout(g: GraphWriter, tile: TilePixels, alpha: Value): void {
  const own = cast(g, tile.alpha, 'float32');
  const planes = concat(g, [tile.rgb, g.op('Mul', [own, alpha])], 1);
  g.output(transpose(g, toBytes(g, planes), [0, 2, 3, 1]), RESULT, 'uint8', ['N', 'H', 'W', 4]);
}
