import { phaseKernels } from '../../../../models/compose/enlarge.js';

const REACH = 2;
const TAPS = 2 * REACH + 1;

/**
 * Bicubic enlargement with half-pixel centers and replicated borders, as in composed graphs.
 * @param planes [C,H,W]
 * @returns [C,H·scale,W·scale]
 */
export function enlarged(
  planes: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  scale: number,
): Float32Array {
  if (scale === 1) return planes;
  const kernels = phaseKernels(scale, 'bicubic');
  const count = planes.length / (width * height);
  const out = new Float32Array(planes.length * scale * scale);
  for (let channel = 0; channel < count; channel++)
    for (let y = 0; y < height * scale; y++)
      for (let x = 0; x < width * scale; x++) {
        const phase = (y % scale) * scale + (x % scale);
        let sum = 0;
        for (let tap = 0; tap < TAPS * TAPS; tap++) {
          const weight = kernels[phase * TAPS * TAPS + tap]!;
          if (weight === 0) continue;
          const row = clamped(Math.floor(y / scale) + Math.floor(tap / TAPS) - REACH, height);
          const column = clamped(Math.floor(x / scale) + (tap % TAPS) - REACH, width);
          sum += weight * planes[(channel * height + row) * width + column]!;
        }
        out[(channel * height * scale + y) * width * scale + x] = sum;
      }
  return out;
}

function clamped(at: number, length: number): number {
  return Math.min(length - 1, Math.max(0, at));
}
