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
  const taps = usedTaps(scale);
  const [across, down] = [width * scale, height * scale];
  const columns = neighbors(width, scale);
  const rows = neighbors(height, scale);
  const count = planes.length / (width * height);
  const out = new Float32Array(planes.length * scale * scale);
  for (let channel = 0; channel < count; channel++)
    for (let y = 0; y < down; y++)
      for (let x = 0; x < across; x++) {
        const { weights, vertical, horizontal } = taps[(y % scale) * scale + (x % scale)]!;
        let sum = 0;
        for (let tap = 0; tap < weights.length; tap++) {
          const row = channel * height + rows[y * TAPS + vertical[tap]!]!;
          sum += weights[tap]! * planes[row * width + columns[x * TAPS + horizontal[tap]!]!]!;
        }
        out[(channel * down + y) * across + x] = sum;
      }
  return out;
}

/** The source pixels with a weight, for one position inside a source pixel. */
interface PhaseTaps {
  readonly weights: readonly number[];
  /** Row of each weight in the kernel, from 0. */
  readonly vertical: readonly number[];
  /** Column of each weight in the kernel, from 0. */
  readonly horizontal: readonly number[];
}

function usedTaps(scale: number): readonly PhaseTaps[] {
  const kernels = phaseKernels(scale, 'bicubic');
  return Array.from({ length: scale * scale }, (_, phase) => {
    const kernel = kernels.slice(phase * TAPS * TAPS, (phase + 1) * TAPS * TAPS);
    const used = [...kernel.keys()].filter((tap) => kernel[tap] !== 0);
    return {
      weights: used.map((tap) => kernel[tap]!),
      vertical: used.map((tap) => Math.floor(tap / TAPS)),
      horizontal: used.map((tap) => tap % TAPS),
    };
  });
}

/** For each row or column of the result, the rows or columns of the source around it. The border is replicated. */
function neighbors(length: number, scale: number): Int32Array {
  return Int32Array.from({ length: length * scale * TAPS }, (_, at) => {
    const own = Math.floor(Math.floor(at / TAPS) / scale);
    return Math.min(length - 1, Math.max(0, own + (at % TAPS) - REACH));
  });
}
