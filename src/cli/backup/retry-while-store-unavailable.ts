import { StoreUnavailable } from '../../infra/storage/storage-fault.js';
import { AppError } from '../../kernel/app-error.js';
import { retryWhile } from '../../kernel/concurrency/retry-while.js';

const PAUSE_MS = 1_000;
const PATIENCE_MS = 300_000;

/** Retries while the object store is unavailable, for up to five minutes. */
export function retryWhileStoreUnavailable<T>(work: () => Promise<T>): Promise<T> {
  return retryWhile({ isTransient: isUnavailable, pauseMs: PAUSE_MS, limitMs: PATIENCE_MS }, work);
}

/** Not a full disk, which does not recover by itself. */
function isUnavailable(error: unknown): boolean {
  return (
    error instanceof StoreUnavailable ||
    (error instanceof AppError && error.cause instanceof StoreUnavailable)
  );
}
