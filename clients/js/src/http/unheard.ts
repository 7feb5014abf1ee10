import { ApiError } from '../errors.js';

/** Attempts at one request of which nobody here knows whether the service did what they asked for. */
export class Unheard {
  private count = 0;
  /** For the request: what it tells of its attempts. */
  readonly watch = {
    onAttempt: (): void => {
      this.count += 1;
    },
    onFailure: (error: unknown): void => {
      if (isRefusal(error)) this.count -= 1;
    },
  };

  get hasAny(): boolean {
    return this.count > 0;
  }
}

/** Whether the service itself said that it did nothing: what broke, or a proxy answered, may have been done. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === 'idempotency_in_progress') return false;
  return error.status < 500 && error.status !== 408;
}
