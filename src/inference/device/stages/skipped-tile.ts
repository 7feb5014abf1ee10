import type { StageRef } from '../../../models/manifest/model-route.js';
import { type NamedTensors, type Tensor, zeros } from '../../tensor.js';

/**
 * The result of a tile that a render graph need not compute (`skipWhereZero`); null when the graph must run.
 * @param inputs of one item, checked
 */
export function skippedTile(ref: StageRef, inputs: NamedTensors): NamedTensors | null {
  if (ref.kind === 'analyse' || ref.skipWhereZero === undefined) return null;
  const image = inputs['image']!;
  const map = inputs[ref.skipWhereZero];
  const window = inputs['window'];
  if (map === undefined || window === undefined) return null;
  const edge = image.dims[1]!;
  if (!isZeroWithin(map, usefulPart(window, ref.halo / edge))) return null;
  return { image: ref.producesAlpha ? zeros('uint8', [1, edge, edge, 4]) : image };
}

type Window = readonly [y0: number, x0: number, y1: number, x1: number];

/** The window of a tile without its halo. @param halo as a share of the edge */
function usefulPart({ data }: Tensor, halo: number): Window {
  const [y0, x0, y1, x1] = data as unknown as Window;
  const [dy, dx] = [(y1 - y0) * halo, (x1 - x0) * halo];
  return [y0 + dy, x0 + dx, y1 - dy, x1 - dx];
}

/**
 * Whether a map [1,C,S,S] is 0 wherever bilinear sampling in this window may read. One more cell on each side covers
 * rounding errors in single precision.
 */
function isZeroWithin({ dims, data }: Tensor, [y0, x0, y1, x1]: Window): boolean {
  const [, channels, size] = dims as readonly [number, number, number];
  const [top, bottom] = [cellBefore(y0, size), cellAfter(y1, size)];
  const [left, right] = [cellBefore(x0, size), cellAfter(x1, size)];
  for (let channel = 0; channel < channels; channel += 1) {
    for (let row = top; row <= bottom; row += 1) {
      const start = (channel * size + row) * size;
      if (data.subarray(start + left, start + right + 1).some((value) => value !== 0)) return false;
    }
  }
  return true;
}

const cellBefore = (at: number, size: number): number => clamped(Math.floor(at * size - 0.5) - 1, size);
const cellAfter = (at: number, size: number): number => clamped(Math.ceil(at * size - 0.5) + 1, size);

function clamped(cell: number, size: number): number {
  return Math.min(Math.max(cell, 0), size - 1);
}
