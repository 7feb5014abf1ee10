import { retryWhile } from '../kernel/concurrency/retry-while.js';
import { isRepeatable } from '../infra/database/database-errors.js';

const PAUSE_MS = 500;
/** A try may itself take long, for example until it has waited long enough for a lock. */
const PATIENCE_MS = 300_000;

/**
 * Retries while the database is unavailable or other transactions are in the way, for up to five minutes. Every
 * statement here is guarded, so a repeated one changes nothing: the retry finds the lease gone, and the caller must
 * read the row to distinguish that from a lost lease (see `isRecorded`).
 * @param signal ends a pause; undefined: nothing does
 */
export function retryWhileDatabaseUnavailable<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const limits = { isTransient: isRepeatable, pauseMs: PAUSE_MS, limitMs: PATIENCE_MS };
  return retryWhile({ ...limits, ...(signal && { signal }) }, work);
}
