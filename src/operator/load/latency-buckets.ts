/** Buckets of a latency histogram. Bucket `i` ends at `FIRST_MS · 2^(i / PER_OCTAVE)`; the last one has no end. */
export const LATENCY_BUCKETS = 80;

const FIRST_MS = 10;
/** Four buckets per doubling, so a quantile is at most 19% too high. */
const PER_OCTAVE = 4;

/** The bucket of a time in SQL. @param ms an expression, milliseconds */
export const latencyBucketSql = (ms: string): string =>
  `least(${LATENCY_BUCKETS - 1}, greatest(0, ceil(${PER_OCTAVE} * log(2, greatest(${ms}, 1)::numeric / ${FIRST_MS}))))::int`;

/**
 * The upper end of the bucket that holds this quantile.
 * @param counts by bucket; empty if there are no jobs
 * @param quantile 0–1
 * @returns milliseconds; null if there are no jobs
 */
export function quantileMs(counts: readonly number[], quantile: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = Math.max(1, Math.ceil(total * quantile));
  let seen = 0;
  const bucket = counts.findIndex((count) => (seen += count) >= wanted);
  return Math.round(FIRST_MS * 2 ** (bucket / PER_OCTAVE));
}
