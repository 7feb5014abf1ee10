import { type BatchRequests, provesNoBatch } from './batch-requests.js';
import type { FolderJournal, JournaledBatch } from './journal.js';

const LAST_WORD = { timeoutMs: 10_000, maxRetries: 1 };

/**
 * Cancels everything that has not ended after an interrupt, so that the user does not pay for unwanted results. A batch
 * that this run sent without learning its id may exist, which sending it again with its key resolves. The next run sends
 * the batches that were not sent. Never throws.
 */
export async function cancelBatches(
  requests: BatchRequests,
  journal: FolderJournal,
  stderr: NodeJS.WriteStream,
): Promise<void> {
  for (const [key, batch] of journal.openBatches) {
    try {
      const id = await idOf(requests, key, batch);
      if (id === undefined) continue;
      await requests.cancel(key, batch, id, LAST_WORD);
    } catch (error) {
      const name = batch.id ?? `with the idempotency key ${key}`;
      stderr.write(`The batch ${name} could not be canceled: ${(error as Error).message}\n`);
    }
  }
  stderr.write('The same command goes on from here.\n');
}

/** @returns undefined for a batch that was not created, or not by this run */
async function idOf(
  requests: BatchRequests,
  key: string,
  batch: JournaledBatch,
): Promise<string | undefined> {
  if (batch.id !== undefined || !requests.mayHaveCreated(key)) return batch.id;
  try {
    return await requests.create(key, batch, LAST_WORD);
  } catch (error) {
    if (provesNoBatch(error)) return undefined;
    throw error;
  }
}
