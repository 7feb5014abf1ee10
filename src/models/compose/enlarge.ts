import type { Interpolation } from '../manifest/adapter.js';
import type { GraphWriter, Value } from './graph-writer.js';

/** Keys 1981, the value of MATLAB and Pillow. */
const CUBIC_A = -0.5;
/** Radius of a kernel in source pixels. */
const REACH = 2;
const TAPS = 2 * REACH + 1;

/**
 * Enlarges an image by an integer factor with half-pixel centers and an extended border: one 5×5 convolution with an
 * output channel for every position inside a source pixel, then depth to space. It yields the same numbers for every
 * tile of an image and runs well on every provider, unlike Resize's bicubic mode.
 * @param image float32 [N,C,H,W] @returns float32 [N,C,H·scale,W·scale]
 */
export function enlarge(g: GraphWriter, image: Value, scale: number, interpolation: Interpolation): Value {
  if (scale === 1) return image;
  const shape = g.op('Shape', [image]);
  const height = part(g, shape, 2);
  const width = part(g, shape, 3);
  const alone = g.op('Reshape', [image, joinedShape(g, [g.constant([-1, 1], 'int64'), height, width])]);
  const pads = g.constant([0, 0, REACH, REACH, 0, 0, REACH, REACH], 'int64');
  const continued = g.op('Pad', [alone, pads], { mode: 'edge' });
  const weights = g.constant(phaseKernels(scale, interpolation), 'float32', [scale * scale, 1, TAPS, TAPS]);
  const phases = g.op('Conv', [continued, weights], { kernel_shape: [TAPS, TAPS] });
  const large = g.op('DepthToSpace', [phases], { blocksize: scale, mode: 'DCR' });
  const factor = g.constant([1, 1, scale, scale], 'int64');
  return g.op('Reshape', [large, g.op('Mul', [shape, factor])]);
}

function part(g: GraphWriter, shape: Value, index: number): Value {
  const bounds = [index, index + 1].map((bound) => g.constant([bound], 'int64'));
  return g.op('Slice', [shape, ...bounds, g.constant([0], 'int64')]);
}

function joinedShape(g: GraphWriter, parts: readonly Value[]): Value {
  return g.op('Concat', parts, { axis: 0 });
}

/** For each position (row, column) inside a source pixel, the weights of the 5 × 5 pixels around it. */
export function phaseKernels(scale: number, interpolation: Interpolation): readonly number[] {
  const rows = Array.from({ length: scale }, (_, phase) => phaseWeights(scale, phase, interpolation));
  return rows.flatMap((vertical) =>
    rows.flatMap((horizontal) => vertical.flatMap((v) => horizontal.map((h) => v * h))),
  );
}

function phaseWeights(scale: number, phase: number, interpolation: Interpolation): readonly number[] {
  const center = (phase + 0.5) / scale - 0.5;
  const weights = Array.from({ length: TAPS }, (_, tap) => kernel(center - (tap - REACH), interpolation));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

function kernel(distance: number, interpolation: Interpolation): number {
  const d = Math.abs(distance);
  if (interpolation === 'nearest') return d < 0.5 ? 1 : 0;
  if (interpolation === 'bilinear') return Math.max(0, 1 - d);
  if (d <= 1) return (CUBIC_A + 2) * d ** 3 - (CUBIC_A + 3) * d ** 2 + 1;
  return d < 2 ? CUBIC_A * (d ** 3 - 5 * d ** 2 + 8 * d - 4) : 0;
}
