import type { OutputAdapter } from '../../../../models/manifest/adapter.js';
import { type Normalization, normalizationOptions } from './normalization.js';

/** One interpretation of a model: how its input is prepared, and what its output means. */
export interface Reading {
  readonly input: Normalization;
  readonly output: Pick<OutputAdapter, 'meaning' | 'range' | 'channels' | 'activation' | 'channel'>;
}

/** A reading, with its results for drawn pictures. */
export interface Candidate {
  readonly reading: Reading;
  /** Deviation from the expected results; smaller is better. 0–255 for pictures, 0–1 for maps. */
  readonly error: number;
  /** What the user compares: RGB or gray values (0–255) for each picture, all of the same length. */
  readonly results: readonly Float32Array[];
  /** Why the reading cannot be correct; null if it can be. */
  readonly fault: string | null;
}

/** Thresholds for telling candidates apart. */
export interface Bounds {
  /** Results with a smaller root mean square difference (0–255) count as identical. */
  readonly same: number;
  /** The best candidate is clear if the next one's error exceeds its error by more than this fraction plus `more`. */
  readonly share: number;
  readonly more: number;
}

/** The choice: `clear` if no other candidate comes close to the best one. */
export type Choice =
  | {
      readonly kind: 'clear';
      readonly best: Candidate;
      /** How many readings have the same results, including the best one. */
      readonly alike: number;
    }
  /** Best first: plausible candidates, then the others. */
  | { readonly kind: 'unclear'; readonly candidates: readonly Candidate[] };

/**
 * Chooses the best candidate if it is clearly the best. Candidates with identical results count as one, represented by
 * the first: a network without biases is equally correct in any range.
 * @param candidates the most common ones first
 */
export function choose(candidates: readonly Candidate[], bounds: Bounds): Choice {
  const groups: Candidate[] = [];
  for (const candidate of candidates)
    if (candidate.fault === null && !groups.some((other) => isSame(other, candidate, bounds.same)))
      groups.push(candidate);
  const ordered = groups.toSorted((a, b) => a.error - b.error);
  const [best, next] = ordered;
  const isClear =
    best !== undefined && (next === undefined || next.error > best.error * (1 + bounds.share) + bounds.more);
  if (isClear) {
    const alike = candidates.filter((other) => other.fault === null && isSame(best, other, bounds.same));
    return { kind: 'clear', best, alike: alike.length };
  }
  const faulty = candidates.filter(({ fault }) => fault !== null).toSorted((a, b) => a.error - b.error);
  return { kind: 'unclear', candidates: [...ordered, ...faulty] };
}

/** @param most the largest root mean square difference of two pictures that count as identical, 0–255 */
export function isSame(a: Candidate, b: Candidate, most: number): boolean {
  return a.results.every((result, index) => rootMeanSquare(result, b.results[index]!) < most);
}

/** Root mean square of the differences of two lists. Infinity if their lengths differ or a number is not finite. */
export function rootMeanSquare(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Infinity;
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at]! - b[at]!) ** 2;
  return Number.isFinite(sum) ? Math.sqrt(sum / a.length) : Infinity;
}

/** A reading as options of `models add`, which accepts it with these options. */
export function readingOptions({ input, output }: Reading): string {
  const { meaning, range, channels } = output;
  const isUsual = meaning === 'logits' || (meaning === 'alpha' && range.join() === '0,1');
  return [
    normalizationOptions(input),
    `--meaning ${meaning}`,
    ...(isUsual ? [] : [`--output-range ${range.join(',')}`]),
    ...(channels === 'RGB' || channels === 'BGR' ? [`--output-channels ${channels}`] : []),
  ].join(' ');
}
