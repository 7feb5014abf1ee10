import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { TEST_PROMISE } from '../test-mode/test-job.js';
import { AppError } from '../../kernel/app-error.js';

/** The pixels exclude test jobs, which have their own lane. */
const QUEUED: Prepared = {
  name: 'queue_gauge',
  text: `SELECT q.jobs,
                (q.pixels + (SELECT coalesce(sum(CASE WHEN promise->>'producesAlpha' = '${TEST_PROMISE}' THEN -source_pixels
                                                      ELSE work_pixels - source_pixels END), 0) FROM jobs
                              WHERE status = 'queued' AND steps IS NOT NULL))::float8 AS pixels
           FROM (SELECT count(*)::float8 AS jobs, coalesce(sum(source_pixels), 0) AS pixels FROM jobs
                  WHERE status = 'queued') q`,
};

const MAX_AGE_MS = 1_000;
/** More than the workers of most installations run at once. */
const BACKLOG_JOBS = 100;
const RETRY_AFTER_SECONDS = 30;

/** Length of the queue, read at most once a second: protects against overload, not an exact counter. */
@Injectable()
export class QueueGauge {
  private pixels = 0;
  private jobs = 0;
  /** From a monotonic clock; setting a clock back would stop the updates. */
  private readAtMs = -Infinity;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Whether so many jobs waited at the last reading that workers have no free capacity. */
  get isBacklogged(): boolean {
    return this.jobs >= BACKLOG_JOBS;
  }

  /**
   * Admits work of any size while the queue is not full, like the storage of an account. Otherwise, a batch larger than
   * the limit could never be created, and one nearly as large only while nothing waits.
   * @throws AppError `service_unavailable` when the queue is full
   */
  async admit(on: Queryable, pixels: number): Promise<void> {
    if (performance.now() - this.readAtMs > MAX_AGE_MS) {
      this.readAtMs = performance.now();
      const [row] = await on.query<{ jobs: number; pixels: number }>(QUEUED);
      ({ jobs: this.jobs, pixels: this.pixels } = row!);
    }
    if (this.pixels >= this.config.queueMaxPixels) {
      throw new AppError('service_unavailable', {
        detail: 'The queue is full. No job was created or charged. Try again later.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    this.pixels += pixels;
  }

  /** Returns capacity that was admitted for a job that was not created. */
  withdraw(pixels: number): void {
    this.pixels -= pixels;
  }
}
