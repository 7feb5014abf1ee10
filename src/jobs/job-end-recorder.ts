import { Injectable, Logger } from '@nestjs/common';
import type { Queryable } from '../infra/database/database.js';
import { JobEndMetrics } from '../infra/telemetry/job-end-metrics.js';
import { livemodeOf } from '../kernel/accounts/livemode.js';
import { writeEvent } from '../webhooks/events/outbox.js';
import type { Batch } from './batches/batch.js';
import { BatchCountersRepository, type EndedItems } from './batches/batch-counters.repository.js';
import { presentBatch } from './batches/batch-presenter.js';
import { jobEndFields } from './job-end-line.js';
import type { JobEntity } from './job.entity.js';
import { JobPresenter, type JobWithSource } from './job-presenter.js';

/**
 * Records the end of a job, in the transaction that ends it: its events, and the counters of its batch. After the
 * commit, it announces the end to operators.
 */
@Injectable()
export class JobEndRecorder {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly presenter: JobPresenter,
    private readonly counters: BatchCountersRepository,
    private readonly metrics: JobEndMetrics,
  ) {}

  /** One log line and one count for each job. Call it after the commit. */
  announce(job: JobEntity): void {
    this.logger.log(jobEndFields(job), 'job ended');
    // Integrators make test jobs fail on purpose.
    if (livemodeOf(job.accountId)) this.metrics.end(job.status, job.errorCode);
  }

  /** Call it once for each job, with its new row, as the last step of the transaction that completed or failed it. */
  async record(tx: Queryable, job: JobWithSource): Promise<JobWithSource> {
    const { accountId, traceparent, batchId, callbackUrl } = job;
    const data = { job: this.presenter.present(job) };
    const event = { accountId, data, at: new Date(), traceparent };
    const isCompleted = job.status === 'completed';
    const type = isCompleted ? 'enhancement.completed' : 'enhancement.failed';
    await writeEvent(tx, { ...event, type, callbackUrl });
    if (batchId === null) return job;
    const isCanceled = job.errorCode === 'canceled';
    if (!isCompleted && !isCanceled) await writeEvent(tx, { ...event, type: 'batch.item.failed' });
    await this.countItems(tx, batchId, {
      [isCompleted ? 'completed' : isCanceled ? 'canceled' : 'failed']: 1,
    });
    return job;
  }

  /** Counts ended items. The last one ends the batch, which is announced once. */
  async countItems(tx: Queryable, batchId: string, ended: EndedItems): Promise<Batch> {
    const batch = await this.counters.count(tx, batchId, ended);
    if (batch.completedAt === null) return batch;
    const { accountId, completedAt: at, request } = batch;
    const data = { batch: presentBatch(batch) };
    await writeEvent(tx, {
      accountId,
      type: 'batch.completed',
      data,
      at,
      callbackUrl: request.callbackUrl,
    });
    return batch;
  }
}
