import { FINITE } from '../compose/finite-probe.js';
import type { NamedTensors, Tensor } from '../../inference/tensor.js';

/** Smaller differences are not visible: of 255 in pixels, of 1 in maps. */
const MIN_DIFFERENCE = { uint8: 2, float32: 0.02 } as const;

/** Whether two results of the same input are visibly the same. The second one may have more items. */
export function areEqual(one: NamedTensors, other: NamedTensors): boolean {
  return Object.entries(one).every(([name, tensor]) => {
    if (name === FINITE) return true;
    const least = tensor.type === 'uint8' ? MIN_DIFFERENCE.uint8 : MIN_DIFFERENCE.float32;
    return largestDifference(tensor, other[name]!) < least;
  });
}

/** Over the elements of the first tensor. */
export function largestDifference(one: Tensor, other: Tensor): number {
  let largest = 0;
  for (let at = 0; at < one.data.length; at++)
    largest = Math.max(largest, Math.abs(one.data[at]! - other.data[at]!));
  return largest;
}
