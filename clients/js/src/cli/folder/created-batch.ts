import type { ImageEnhancement } from '../../node.js';
import type { RequestOptions } from '../../options.js';
import type { JournaledBatch } from './journal.js';

/** Maximum difference between the clocks of this machine and the service. */
const CLOCK_TOLERANCE_MS = 600_000;

/**
 * Finds a batch whose request was sent so long ago that the service no longer knows its idempotency key.
 * @returns its id; undefined when it was never created
 */
export async function findCreatedBatch(
  client: ImageEnhancement,
  { files, sourceUrls, sentAtMs }: JournaledBatch,
  options: RequestOptions,
): Promise<string | undefined> {
  const wanted = new URL(sourceUrls[0]!).pathname;
  for await (const { id, createdAt, counts } of client.batches.list({ limit: 100 }, options)) {
    if (Date.parse(createdAt) < sentAtMs - CLOCK_TOLERANCE_MS) return undefined;
    if (counts.total !== files.length) continue;
    const { data } = await client.batches.items(id, { limit: 1 }, options);
    if (data[0] !== undefined && new URL(data[0].sourceUrl).pathname === wanted) return id;
  }
  return undefined;
}
