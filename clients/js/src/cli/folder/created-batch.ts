import { ImageEnhancementError } from '../../errors.js';
import type { ImageEnhancement } from '../../node.js';
import type { RequestOptions } from '../../options.js';
import type { FolderJournal, JournaledBatch } from './journal.js';

/** Maximum difference between the clocks of this machine and the service. */
const CLOCK_TOLERANCE_MS = 600_000;

/** The service has accepted another request with the idempotency key of a batch, but has no batch of these images. */
export class MissingBatchError extends ImageEnhancementError {
  constructor(cause: unknown) {
    const what =
      'The service has accepted another request with the idempotency key of a batch, but has no such batch.';
    super('gone', `${what} The same command enhances these images in a new one.`, { cause });
  }
}

/**
 * Finds a batch that cannot be found by its idempotency key: the service no longer knows the key, or knows it for a
 * request that differs, for example one of an earlier version.
 * @returns its id; undefined when it was never created, or its jobs were deleted
 */
export async function findCreatedBatch(
  client: ImageEnhancement,
  journal: FolderJournal,
  { files, sourceUrls, sentAtMs }: JournaledBatch,
  options: RequestOptions,
): Promise<string | undefined> {
  for await (const { id, createdAt, counts } of client.batches.list({ limit: 100 }, options)) {
    if (Date.parse(createdAt) < sentAtMs - CLOCK_TOLERANCE_MS) return undefined;
    // An earlier batch of this journal may have had the same images.
    if (counts.total !== files.length || journal.hasBatch(id)) continue;
    const [job] = (await client.batches.items(id, { limit: 1 }, options)).data;
    // The first jobs may have been deleted.
    if (job !== undefined && pathOf(job.sourceUrl) === pathOf(sourceUrls[job.batchIndex!]!)) return id;
  }
  return undefined;
}

/** The signature in the query changes. */
const pathOf = (url: string): string => new URL(url).pathname;
