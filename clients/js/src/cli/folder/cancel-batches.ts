import { ConflictError } from '../../errors.js';
import type { ImageEnhancement } from '../../node.js';
import type { FolderJournal, JournaledBatch } from './journal.js';

const LAST_WORD_MS = 10_000;

/**
 * Cancels everything that has not ended after an interrupt, so that the user does not pay for unwanted results. Never
 * throws.
 */
export async function cancelBatches(
  client: ImageEnhancement,
  journal: FolderJournal,
  batches: readonly (readonly [string, JournaledBatch])[],
  stderr: NodeJS.WriteStream,
): Promise<void> {
  for (const [key, { id }] of batches) {
    // The next run finds out, by its key, whether a batch without an id was created.
    if (id === undefined) continue;
    try {
      await client.batches.cancel(id, { timeoutMs: LAST_WORD_MS, maxRetries: 1 }).catch((error: unknown) => {
        if (!(error instanceof ConflictError)) throw error;
      });
      await journal.noteBatch(key, { isCanceled: true });
    } catch (error) {
      stderr.write(`The batch ${id} could not be canceled: ${(error as Error).message}\n`);
    }
  }
  stderr.write('The same command goes on from here.\n');
}
