import { setTimeout as sleep } from 'node:timers/promises';
import { isRepeatable } from '../infra/database/database.js';

const PAUSE_MS = 500;
/** A try may itself take long, for example until it has waited long enough for a lock. */
const PATIENCE_MS = 300_000;

/**
 * Retries while the database is unavailable or other transactions are in the way, for up to five minutes. Every
 * statement here is guarded, so a repeated one changes nothing: the retry finds the lease gone, and the caller must
 * read the row to distinguish that from a lost lease (see `isRecorded`).
 */
export async function retryWhileDatabaseUnavailable<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRepeatable(error) || performance.now() >= endMs) throw error;
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}
