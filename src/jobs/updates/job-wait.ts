import { Injectable } from '@nestjs/common';
import { JobChanges } from './job-changes.js';
import type { JobWithSource } from '../job-presenter.js';

/** Whether the job has reached a final state. */
export function hasEnded({ status, deletedAt }: Pick<JobWithSource, 'status' | 'deletedAt'>): boolean {
  return status === 'completed' || status === 'failed' || deletedAt !== null;
}

/** Holds a request open until its job has ended (RFC 7240, `Prefer: wait`). */
@Injectable()
export class JobWait {
  constructor(private readonly changes: JobChanges) {}

  /**
   * Whether a request of an account may be held open now; otherwise it gets a response at once, which a
   * preference allows.
   */
  isPossibleFor(accountId: string): boolean {
    return this.changes.hasRoomFor(accountId);
  }

  /**
   * @param read reads the current job; its errors are thrown
   * @param signal aborts the wait when the client disconnects
   * @returns the job when it has ended, after `waitMs`, or when the process ends
   */
  async until(
    key: { readonly accountId: string; readonly id: string },
    read: () => Promise<JobWithSource>,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<JobWithSource> {
    let latest: JobWithSource | undefined;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const stop = this.changes.watch(key.accountId, key.id, (job) => {
      latest = job ?? latest;
      if (job === null || hasEnded(job)) end();
    });
    const timer = setTimeout(end, waitMs);
    signal.addEventListener('abort', end, { once: true });
    try {
      const now = await read();
      latest ??= now;
      if (!hasEnded(latest) && !signal.aborted) await ended;
      return latest;
    } finally {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }
}
