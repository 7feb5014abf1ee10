import { Counter } from 'prom-client';
import type { ErrorCode } from '../../kernel/errors/error-codes.js';
import type { JobStatus } from '../../kernel/operations.js';
import type { Metrics } from './metrics.js';

/** Errors that alerts count. Their series start at 0, because `increase()` does not see the first value of a series. */
const COUNTED_FROM_ZERO: readonly ErrorCode[] = ['worker_lost', 'processing_failed', 'service_unavailable'];

/** Jobs that this process has ended, in any role: the dispatcher also fails jobs, for example those of dead workers. */
export class JobEndMetrics {
  private readonly ended: Counter<'status' | 'error'>;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    this.ended = new Counter({
      name: 'ies_jobs_ended_total',
      help: 'Jobs that this process ended, without test jobs, by status and error code.',
      labelNames: ['status', 'error'],
      registers: [registry],
    });
    for (const error of COUNTED_FROM_ZERO) this.ended.inc({ status: 'failed', error }, 0);
  }

  end(status: JobStatus, error: ErrorCode | null): void {
    this.ended.inc({ status, error: error ?? '' });
  }
}
