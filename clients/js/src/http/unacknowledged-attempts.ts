import { ApiError, QuotaExceededError } from '../errors.js';

/** Attempts at one request of which nobody here knows whether the service did what they asked for. */
export class UnacknowledgedAttempts {
  private count = 0;
  /** For the request: what it tells of its attempts. */
  readonly watch = {
    onAttempt: (): void => {
      this.count += 1;
    },
    onFailure: (error: unknown): void => {
      if (isRefusal(error) || wasNeverSent(error)) this.count -= 1;
    },
  };

  get hasAny(): boolean {
    return this.count > 0;
  }

  /** It is known now what became of every one of them. */
  settle(): void {
    this.count = 0;
  }
}

/** Whether the service itself said that it did nothing: what broke, or a proxy answered, may have been done. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === 'idempotency_in_progress') return false;
  return error.status < 500 && error.status !== 408;
}

/**
 * Whether a refusal also tells that no earlier attempt with the same idempotency key did anything. Those for too many
 * requests, a connection too young, a key that is no longer good or one without the scope are spoken before anybody
 * looks at idempotency keys.
 */
export function isVerdict(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { status } = error as ApiError;
  return ![401, 425, 429].includes(status) && (status !== 403 || error instanceof QuotaExceededError);
}

/** What systems say when there was no connection that anything could have been sent over. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function wasNeverSent(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (NO_CONNECTION.has((inner as { code?: string }).code ?? '')) return true;
  }
  return false;
}
