import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../infra/storage/storage-fault.js';
import { AppError } from '../../kernel/app-error.js';

const PAUSE_MS = 1_000;
const PATIENCE_MS = 300_000;

/** Retries while the object store is unavailable, for up to five minutes. */
export async function retryWhileStoreUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() >= endMs) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Not a full disk, which does not recover by itself. */
function isUnavailable(error: unknown): boolean {
  return (
    error instanceof StoreUnavailable ||
    (error instanceof AppError && error.cause instanceof StoreUnavailable)
  );
}
