import type { PixelLayout, SizeRule } from '../../../models/manifest/adapter.js';
import type { ModelValue } from '../../../models/onnx/model-head.js';
import type { RawImage } from '../../../kernel/pixels.js';
import type { Extent } from './readings/drawn-pictures.js';
import type { RawResult } from './readings/raw-result.js';

const FACTORS = [2, 4, 8, 16, 32, 64];
/** An edge that is no multiple of any of them. */
const ODD_EDGE = 67;

/** Null when the model runs at none of the sizes that are tried. */
export async function sizeRule(
  { dims }: ModelValue,
  layout: PixelLayout,
  run: (extent: Extent) => Promise<RawResult | null>,
): Promise<SizeRule | null> {
  const [height, width] = layout === 'NCHW' ? [dims?.[2], dims?.[3]] : [dims?.[1], dims?.[2]];
  if (typeof height === 'number' && typeof width === 'number') return { mode: 'fixed', height, width };
  const keeps = async (edge: number): Promise<boolean> => {
    const made = await run({ height: edge, width: edge });
    return made !== null && made.height === made.width && made.height % edge === 0;
  };
  if (await keeps(ODD_EDGE)) return { mode: 'any' };
  for (const of of FACTORS) if (await keeps(of * oddAtLeast(48 / of))) return { mode: 'multiple-of', of };
  return null;
}

/** An odd number, so that a multiple by it is one of no larger power of two. */
function oddAtLeast(least: number): number {
  const number = Math.max(3, Math.ceil(least));
  return number % 2 === 1 ? number : number + 1;
}

/** A size that fits the rule, or the only one. @param edge a multiple of 64 */
export function extentOf(size: SizeRule, edge: number): Extent {
  return size.mode === 'fixed' ? size : { height: edge, width: edge };
}

/** The picture that a size is tried with: what it shows does not count. */
export function blankPicture({ height, width }: Extent): RawImage {
  const data = Uint8Array.from({ length: height * width * 3 }, (_, at) => (at * 37 + (at >> 6) * 11) & 255);
  return { data, height, width, channels: 3 };
}
