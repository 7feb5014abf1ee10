/** Differences below this count as none, percent of full scale. */
const MIN_PERCENT = 2 ** -10;
const BUCKETS_PER_OCTAVE = 8;
/** The bucket of 100 percent. */
const LAST_BUCKET = bucketNumber(100);

/** Jobs by bucket. */
export type DifferenceBuckets = Readonly<Record<number, number>>;

/**
 * The bucket of a difference. Buckets are counted instead of single differences, so that the figures of any number of
 * jobs take the same space. Each bucket is 9% wider than the previous one, so a median is within 5% of the true one.
 * @param percent 0–100
 */
export function bucketOf(percent: number): number {
  if (percent < MIN_PERCENT) return 0;
  return Math.min(LAST_BUCKET, bucketNumber(percent));
}

/** The median of the counted differences, percent: the middle of its bucket. Null without any differences. */
export function medianOf(buckets: DifferenceBuckets): number | null {
  const counted = Object.entries(buckets)
    .map(([bucket, jobs]) => ({ bucket: Number(bucket), jobs }))
    .toSorted((a, b) => a.bucket - b.bucket);
  const all = counted.reduce((sum, { jobs }) => sum + jobs, 0);
  let before = 0;
  for (const { bucket, jobs } of counted) {
    before += jobs;
    if (before * 2 >= all) return percentOf(bucket);
  }
  return null;
}

function percentOf(bucket: number): number {
  return bucket === 0 ? 0 : Math.min(100, MIN_PERCENT * 2 ** ((bucket - 1 / 2) / BUCKETS_PER_OCTAVE));
}

function bucketNumber(percent: number): number {
  return 1 + Math.floor(Math.log2(percent / MIN_PERCENT) * BUCKETS_PER_OCTAVE);
}
