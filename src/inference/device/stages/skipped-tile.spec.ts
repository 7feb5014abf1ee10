import { describe, expect, it } from 'vitest';
import type { RenderStageRef } from '../../../models/manifest/model-route.js';
import { float32Tensor, type NamedTensors, uint8Tensor, zeros } from '../../tensor.js';
import { skippedTile } from './skipped-tile.js';

const SIZE = 8;
const EDGE = 16;
const HALO = 4;
const ref: RenderStageRef = {
  kind: 'render',
  id: 'smooth_skin/1/smooth',
  engine: 'onnx',
  path: 'smooth.onnx',
  tile: EDGE - 2 * HALO,
  halo: HALO,
  scale: 1,
  producesAlpha: false,
  skipWhereZero: 'map',
  maxBatch: 1,
  maxDelayMs: 0,
};

/** A tile at (x, y) of an image of 64 × 64 pixels: 8 pixels for each cell of the map. */
function inputs(
  x: number,
  y: number,
  cells: readonly (readonly [row: number, column: number])[],
): NamedTensors {
  const map = zeros('float32', [1, 2, SIZE, SIZE]);
  for (const [row, column] of cells) map.data[SIZE * SIZE + row * SIZE + column] = 1e-20;
  const window = [y - HALO, x - HALO, y - HALO + EDGE, x - HALO + EDGE].map((at) => at / 64);
  return {
    image: uint8Tensor([1, EDGE, EDGE, 3], new Uint8Array(EDGE * EDGE * 3).fill(7)),
    window: float32Tensor([1, 4], window),
    map,
  };
}

describe('skippedTile', () => {
  it('returns the pixels of a tile where the map is 0', () => {
    const given = inputs(32, 32, [[0, 0]]);
    expect(skippedTile(ref, given)).toEqual({ image: given['image'] });
  });

  it('returns a transparent tile for a stage that produces alpha', () => {
    const { image } = skippedTile({ ...ref, producesAlpha: true }, inputs(32, 32, []))!;
    expect(image).toEqual(zeros('uint8', [1, EDGE, EDGE, 4]));
  });

  // The useful part covers rows and columns 32 to 40 of the image, which is cell 4.
  it.each([
    [[4, 4], false],
    [[3, 4], false],
    [[5, 5], false],
    [[4, 6], false],
    [[4, 7], true],
    [[1, 4], true],
    [[7, 4], true],
  ] as const)(
    'considers every cell that bilinear sampling may reach: a value in cell %j, skipped: %j',
    (cell, isSkipped) => {
      expect(skippedTile(ref, inputs(32, 32, [cell])) !== null).toBe(isSkipped);
    },
  );

  it('considers the border of the map for tiles that extend beyond the image', () => {
    expect(skippedTile(ref, inputs(0, 0, [[0, 0]]))).toBeNull();
    expect(skippedTile(ref, inputs(0, 0, [[5, 5]]))).not.toBeNull();
    expect(skippedTile(ref, inputs(56, 56, [[7, 7]]))).toBeNull();
  });

  it('skips nothing without the field or without its map', () => {
    const { skipWhereZero: _, ...plain } = ref;
    expect(skippedTile(plain, inputs(32, 32, []))).toBeNull();
    expect(skippedTile({ ...ref, skipWhereZero: 'other' }, inputs(32, 32, []))).toBeNull();
  });
});
