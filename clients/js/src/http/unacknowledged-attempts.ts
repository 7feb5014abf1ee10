import { ApiError, QuotaExceededError } from '../errors.js';
import { isTlsFailure } from './tls-failure.js';

/** Attempts at one request whose outcome in the service is unknown. */
export class UnacknowledgedAttempts {
  private count = 0;
  /** Callbacks for the request, which report its attempts. */
  readonly watch = {
    onAttempt: (): void => {
      this.count += 1;
    },
    onFailure: (error: unknown): void => {
      if (didNothing(error)) this.count -= 1;
    },
  };

  get hasAny(): boolean {
    return this.count > 0;
  }

  /** Call this when the outcome of every attempt is known. */
  settle(): void {
    this.count = 0;
  }
}

/** Whether an attempt that failed with this error has certainly done nothing. */
export function didNothing(error: unknown): boolean {
  return isRefusal(error) || wasNeverSent(error) || isTlsFailure(error);
}

/**
 * Whether the service itself stated that it did nothing. After a broken connection or a proxy's error, it may have
 * acted.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === 'idempotency_in_progress') return false;
  return error.status < 500 && error.status !== 408;
}

/**
 * Whether a rejection also proves that no earlier attempt with the same idempotency key did anything. Rejections for
 * too many requests, early data, an invalid key, or a missing scope prove nothing, because they occur before the
 * idempotency key is checked. An `idempotency_mismatch` proves the opposite: another request with the key was accepted.
 */
export function isVerdict(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { status, code } = error as ApiError;
  if (code === 'idempotency_mismatch') return false;
  return ![401, 425, 429].includes(status) && (status !== 403 || error instanceof QuotaExceededError);
}

/** Error codes for a connection that was never established, so nothing can have been sent. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function wasNeverSent(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (NO_CONNECTION.has((inner as { code?: string }).code ?? '')) return true;
  }
  return false;
}
