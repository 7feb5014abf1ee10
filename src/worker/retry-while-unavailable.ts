import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../infra/database/database.js';

const PAUSE_MS = 500;
const MAX_TRIES = 600;

/**
 * Tries again while the database is away, for five minutes: work that is done is worth waiting for.
 * Every statement here is guarded, so one that got through unheard is not done twice: the next try finds the lease
 * gone, and whoever asks must look at the row to tell that from a lease that was lost (see `isRecorded`).
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
