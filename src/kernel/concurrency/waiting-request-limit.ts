import { HeldRequestLimit } from './held-request-limit.js';

/** Limits like a HeldRequestLimit. Requests for which nothing is free wait for a moment until others have ended. */
export class WaitingRequestLimit {
  private readonly held: HeldRequestLimit;
  /** Each takes its places if they are free. */
  private readonly waiting = new Set<() => void>();

  /** @param waitMs how long a request waits at most */
  constructor(
    total: number,
    perAccount: number,
    private readonly waitMs: number,
  ) {
    this.held = new HeldRequestLimit(total, perAccount);
  }

  /** Whether the account may hold so many more, if others do not hold too many. */
  isWithinShare(accountId: string, count: number): boolean {
    return this.held.isWithinShare(accountId, count);
  }

  /**
   * Takes places as soon as they are free.
   * @param refusal the error after a wait in vain
   * @param gone ends the wait
   * @returns releases them; idempotent
   * @throws the error of `refusal`; the reason of `gone`
   */
  async take(
    accountId: string,
    count: number,
    refusal: () => Error,
    gone?: AbortSignal,
  ): Promise<() => void> {
    gone?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const attempt = (): void => {
        if (!this.held.isFree(accountId, count)) return;
        leave();
        const release = this.held.take(accountId, count);
        resolve(() => {
          release();
          for (const next of this.waiting) next();
        });
      };
      const leave = (): void => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', abandon);
        this.waiting.delete(attempt);
      };
      const abandon = (): void => {
        leave();
        reject(gone?.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(refusal());
      }, this.waitMs);
      gone?.addEventListener('abort', abandon);
      this.waiting.add(attempt);
      attempt();
    });
  }
}
