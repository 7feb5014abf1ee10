import { Injectable } from '@nestjs/common';
import { JobChanges } from './job-changes.js';
import type { JobWithSource } from '../job-presenter.js';

/** Whether nothing more will happen to it. */
export function hasEnded({ status, deletedAt }: Pick<JobWithSource, 'status' | 'deletedAt'>): boolean {
  return status === 'completed' || status === 'failed' || deletedAt !== null;
}

/** Holds a request back until its job has ended (RFC 7240, `Prefer: wait`). */
@Injectable()
export class JobWait {
  constructor(private readonly changes: JobChanges) {}

  /** Whether a request of an account may be held back now; else it is answered at once, which a preference allows. */
  isPossibleFor(accountId: string): boolean {
    return this.changes.hasRoomFor(accountId);
  }

  /**
   * @param read reads the job as it is now; whatever it throws is thrown
   * @param signal ends the waiting early: nobody listens any more
   * @returns the job when it has ended, when `waitMs` are over or when the process ends, whichever is first
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
