import type { PixelLayout, SizeRule } from '../../../models/manifest/adapter.js';
import type { ModelValue } from '../../../models/onnx/model-head.js';
import type { RawImage } from '../../../kernel/pixels.js';
import type { Extent } from './readings/drawn-pictures.js';
import type { RawResult } from './readings/raw-result.js';

const FACTORS = [2, 4, 8, 16, 32, 64];
/** An edge length that is not a multiple of any of them. */
const ODD_EDGE = 67;

/** The size rule of a model; null when the model runs at none of the sizes that are tried. */
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

/**
 * The smallest odd number that is at least 3 and at least `least`. Its product with a power of two is not a multiple of
 * a larger power of two.
 */
function oddAtLeast(least: number): number {
  const number = Math.max(3, Math.ceil(least));
  return number % 2 === 1 ? number : number + 1;
}

/** A size that satisfies the rule, or the only allowed size. @param edge a multiple of 64 */
export function extentOf(size: SizeRule, edge: number): Extent {
  return size.mode === 'fixed' ? size : { height: edge, width: edge };
}

/** The picture for testing sizes. Its content does not matter. */
export function blankPicture({ height, width }: Extent): RawImage {
  const data = Uint8Array.from({ length: height * width * 3 }, (_, at) => (at * 37 + (at >> 6) * 11) & 255);
  return { data, height, width, channels: 3 };
}
