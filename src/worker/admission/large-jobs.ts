import { Logger } from '@nestjs/common';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';

/** Why such a job returns to the queue, and its error after too many returns. */
export const TOO_LARGE = {
  reason: 'it needs more disk space than this machine has',
  message:
    'The job needs more disk space than the machines of the service have. The job was not charged. Use a smaller image or a smaller result.',
} as const;

/** Delay before the disk here is looked at again for a job: it may have been enlarged. */
const PAUSE_MS = 60_000;
/** A job that was not met for so long has ended. Much longer than the jobs that this worker runs in between. */
const FORGET_MS = 24 * 3_600_000;

interface Declined {
  /** Claims of the job when it was last met. */
  readonly claims: number;
  /** Since when this worker has been declining it (monotonic milliseconds). */
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly untilMs: number;
}

/**
 * Jobs that need more disk space than this machine has. There may be a worker with a larger disk, so this one leaves
 * such a job alone for a while, and for longer while a worker reports a disk that is large enough. Only then does it
 * begin to count returns, after which the job fails. A claim by another worker starts that time anew: either that worker has room for the job, or it is
 * counting already, and the count must not rise faster because there are more workers.
 */
export class LargeJobs {
  private readonly logger = new Logger('jobs');
  /** By id; the last one met is the last. */
  private readonly declined = new Map<string, Declined>();

  /** @param patienceMs for workers with larger disks, which may be busy, before returns are counted */
  constructor(private readonly patienceMs: number) {}

  /** Ids of the jobs that this worker currently skips. */
  *skipped(): Iterable<string> {
    const nowMs = performance.now();
    for (const [id, { untilMs }] of this.declined) if (untilMs > nowMs) yield id;
  }

  /**
   * Skips a job for a while.
   * @returns false when the job must be counted as returned instead
   */
  skip({ id, claims }: Pick<WaitingJob, 'id' | 'claims'>): boolean {
    const nowMs = performance.now();
    this.forget(nowMs);
    const known = this.declined.get(id);
    const sinceMs = known?.claims === claims ? known.sinceMs : nowMs;
    const leftMs = sinceMs + this.patienceMs - nowMs;
    this.note(id, { claims, sinceMs, lastMs: nowMs, untilMs: nowMs + Math.min(leftMs, PAUSE_MS) });
    if (leftMs <= 0) return false;
    if (sinceMs === nowMs)
      this.logger.warn(
        { jobId: id },
        'a job needs more disk space than this machine has; it is left to others',
      );
    return true;
  }

  /** A busy worker has a disk for the job, so the time until returns are counted begins anew. */
  wait({ id, claims }: Pick<WaitingJob, 'id' | 'claims'>): void {
    const nowMs = performance.now();
    this.note(id, { claims, sinceMs: nowMs, lastMs: nowMs, untilMs: nowMs + PAUSE_MS });
  }

  /** This worker has claimed a job in order to count it as returned. */
  counted(id: string, claims: number): void {
    const known = this.declined.get(id);
    if (known !== undefined) this.note(id, { ...known, claims });
  }

  private note(id: string, declined: Declined): void {
    this.declined.delete(id);
    this.declined.set(id, declined);
  }

  private forget(nowMs: number): void {
    for (const [id, { lastMs }] of this.declined) {
      if (nowMs - lastMs <= FORGET_MS) return;
      this.declined.delete(id);
    }
  }
}
