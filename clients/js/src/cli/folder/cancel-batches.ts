import { ConflictError } from '../../errors.js';
import type { ImageEnhancement } from '../../node.js';
import type { FolderJournal, JournaledBatch } from './journal.js';

const LAST_WORD_MS = 10_000;

/** After an interrupt: what has not ended is canceled, so that nobody pays for what nobody waits for. Throws nothing. */
export async function cancelBatches(
  client: ImageEnhancement,
  journal: FolderJournal,
  batches: readonly (readonly [string, JournaledBatch])[],
  stderr: NodeJS.WriteStream,
): Promise<void> {
  for (const [key, { id }] of batches) {
    // Whether one without an id was created is found out by the next run, with its key.
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
