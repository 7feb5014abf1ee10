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
  // [column of the kernel][x] and [row of the kernel][y]
  const columns = neighbors(width);
  const rows = neighbors(height);
  const count = planes.length / (width * height);
  const out = new Float32Array(planes.length * scale * scale);
  const sums = new Float64Array(width);
  for (let channel = 0; channel < count; channel++)
    for (let y = 0; y < down; y++)
      // Adding each weight to a whole line is faster than computing pixel by pixel.
      for (let phase = 0; phase < scale; phase++) {
        sums.fill(0);
        for (const { weight, vertical, horizontal } of taps[(y % scale) * scale + phase]!) {
          const start = (channel * height + rows[vertical]![Math.floor(y / scale)]!) * width;
          const column = columns[horizontal]!;
          for (let x = 0; x < width; x++) sums[x]! += weight * planes[start + column[x]!]!;
        }
        const line = (channel * down + y) * across + phase;
        for (let x = 0; x < width; x++) out[line + x * scale] = sums[x]!;
      }
  return out;
}

/** A source pixel that has a weight. */
interface Tap {
  readonly weight: number;
  /** Its row in the kernel, from 0. */
  readonly vertical: number;
  /** Its column in the kernel, from 0. */
  readonly horizontal: number;
}

/** For each position inside a source pixel. */
function usedTaps(scale: number): readonly (readonly Tap[])[] {
  const kernels = phaseKernels(scale, 'bicubic');
  return Array.from({ length: scale * scale }, (_, phase) => {
    const kernel = kernels.slice(phase * TAPS * TAPS, (phase + 1) * TAPS * TAPS);
    return [...kernel].flatMap((weight, tap) =>
      weight === 0 ? [] : [{ weight, vertical: Math.floor(tap / TAPS), horizontal: tap % TAPS }],
    );
  });
}

/** For each row or column of the kernel, the source's rows or columns under it. The border is replicated. */
function neighbors(length: number): readonly Int32Array[] {
  return Array.from({ length: TAPS }, (_, tap) =>
    Int32Array.from({ length }, (_unused, own) => Math.min(length - 1, Math.max(0, own + tap - REACH))),
  );
}
