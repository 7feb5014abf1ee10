import type { RawImage } from '#src/kernel/pixels.js';
import { blurred, lumaPlane } from './planes.js';

/** The brightness, color balance, and grain of a picture. */
export interface Light {
  /** Mean of all values, 0–255. */
  readonly level: number;
  /** Fractions of red, green, and blue in their sum. */
  readonly shares: readonly number[];
  /** Mean absolute difference between the darker half and its blurred surroundings, divided by its mean luma. */
  readonly grain: number;
}

export function lightOf(image: RawImage): Light {
  const sums = [0, 0, 0];
  for (let at = 0; at < image.width * image.height; at++)
    for (let channel = 0; channel < 3; channel++)
      sums[channel]! += image.data[at * image.channels + channel]!;
  const sum = sums.reduce((a, b) => a + b, 0);
  const shares = sums.map((value) => (sum === 0 ? 1 / 3 : value / sum));
  return { level: sum / (image.width * image.height * 3), shares, grain: grainOf(image) };
}

function grainOf(image: RawImage): number {
  const luma = lumaPlane(image);
  const soft = blurred(luma, 1).data;
  const middle = soft.toSorted()[soft.length >> 1]!;
  let [apart, light] = [0, 0];
  for (let at = 0; at < soft.length; at++) {
    if (soft[at]! > middle) continue;
    apart += Math.abs(luma.data[at]! - soft[at]!);
    light += luma.data[at]!;
  }
  return light === 0 ? 0 : apart / light;
}
