import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../infra/database/database.js';

const PAUSE_MS = 500;
const MAX_TRIES = 600;

/**
 * Retries while the database is unavailable, for up to five minutes. Every statement here is guarded, so a
 * repeated one changes nothing: the retry finds the lease gone, and the caller must read the row to
 * distinguish that from a lost lease (see `isRecorded`).
 */
export async function retryWhileDatabaseUnavailable<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || tries === MAX_TRIES) throw error;
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}
