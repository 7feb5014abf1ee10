import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Queryable } from '../infra/database/database.js';
import { EnhanceQueue } from '../infra/queue/enhance-queue.js';
import { QueueGauge } from './queue-gauge.js';

/**
 * Hands committed jobs to the queue. A message that does not get through is no harm: the sweeper finds
 * every queued row without one.
 */
@Injectable()
export class JobDispatch implements OnApplicationShutdown {
  private readonly logger = new Logger('jobs');
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly queue: EnhanceQueue,
    private readonly gauge: QueueGauge,
  ) {}

  /** @throws AppError `service_unavailable` when the queue is full */
  async admit(on: Queryable, pixels: number): Promise<void> {
    await this.gauge.admit(on, pixels);
  }

  /** Takes back what was admitted and then not created. */
  withdraw(pixels: number): void {
    this.gauge.withdraw(pixels);
  }

  /** Enqueues without making the caller wait: the job is committed, hence safe. */
  enqueueSoon(jobId: string, attempts: number): void {
    const adding = this.queue
      .add(jobId, attempts)
      .catch((error: unknown) =>
        this.logger.warn({ jobId, error: String(error) }, 'enqueueing failed; the sweeper will'),
      )
      .finally(() => this.pending.delete(adding));
    this.pending.add(adding);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}
