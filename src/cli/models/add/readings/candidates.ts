import type { OutputAdapter } from '../../../../models/manifest/adapter.js';
import { type Normalization, normalizationOptions } from './normalization.js';

/** One reading of a model: what it is fed, and what its output means. */
export interface Reading {
  readonly input: Normalization;
  readonly output: Pick<OutputAdapter, 'meaning' | 'range' | 'channels' | 'activation' | 'channel'>;
}

/** A reading that was tried on drawn pictures. */
export interface Candidate {
  readonly reading: Reading;
  /** How far results are from what they should be; smaller is better. Of 255 for pictures, of 1 for maps. */
  readonly error: number;
  /** What a person may compare: RGB or gray values of 255 for each picture, all alike in length. */
  readonly results: readonly Float32Array[];
  /** Why it cannot be right; null when it can. */
  readonly fault: string | null;
}

/** What tells two candidates apart. */
export interface Bounds {
  /** Results that are nearer (root mean square, of 255) are the same result. */
  readonly same: number;
  /** The next must be worse by this share and this much for the best to be clearly best. */
  readonly share: number;
  readonly more: number;
}

/** The best candidate when nothing else comes near. */
export type Choice =
  | {
      readonly kind: 'clear';
      readonly best: Candidate;
      /** How many readings have the same results, the best among them. */
      readonly alike: number;
    }
  /** Best first: those that could be right, then the others. */
  | { readonly kind: 'unclear'; readonly candidates: readonly Candidate[] };

/**
 * Chooses the best candidate, if it is clearly the best. Candidates whose results are the same count as one, and the
 * first of them stands for all: networks without biases are as right in any range.
 * @param candidates the usual ones first
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

function isSame(a: Candidate, b: Candidate, most: number): boolean {
  return a.results.every((result, index) => rootMeanSquare(result, b.results[index]!) < most);
}

/** Of the differences of two lists of equal length; Infinity when a number is not finite. */
export function rootMeanSquare(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Infinity;
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at]! - b[at]!) ** 2;
  return Number.isFinite(sum) ? Math.sqrt(sum / a.length) : Infinity;
}

/** A reading as options of `models add`. */
export function readingOptions({ input, output }: Reading): string {
  const { meaning, range } = output;
  const isMap = meaning === 'alpha' || meaning === 'logits';
  const outputRange =
    isMap || range.join() === input.range.join() ? '' : ` --output-range ${range.join(',')}`;
  return `${normalizationOptions(input)} --meaning ${meaning}${outputRange}`;
}
