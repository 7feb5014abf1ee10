import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../infra/database/database.js';
import { writeEvents } from '../../webhooks/events/outbox.js';
import { JobEndRecorder } from '../job-end-recorder.js';
import { JobPresenter, type JobWithSource } from '../job-presenter.js';
import { BatchEndingsRepository } from './batch-endings.repository.js';

/** Jobs that one transaction cancels. */
const PART = 250;
/** The pause before retrying jobs that another transaction holds. */
const PAUSE_MS = 50;
const MAX_PAUSES = 40;

/** Cancels the items of a batch that have not ended. */
@Injectable()
export class BatchCancellation {
  constructor(
    private readonly database: Database,
    private readonly repository: BatchEndingsRepository,
    private readonly endRecorder: JobEndRecorder,
    private readonly presenter: JobPresenter,
  ) {}

  /**
   * Cancels in parts, each in its own transaction, so that what a crash leaves can be canceled again. Jobs that a
   * worker is ending at this moment may still complete.
   */
  async cancel(accountId: string, batchId: string): Promise<void> {
    await this.repository.markCanceled(this.database, batchId);
    for (let pauses = 0; pauses < MAX_PAUSES;) {
      const canceled = await this.cancelPart(accountId, batchId);
      if (canceled > 0) continue;
      if (!(await this.repository.isOpen(this.database, batchId))) return;
      pauses += 1;
      await sleep(PAUSE_MS);
    }
  }

  private async cancelPart(accountId: string, batchId: string): Promise<number> {
    const jobs = await this.database.transaction(async (tx) => {
      const canceled = await this.repository.cancelJobs(tx, batchId, PART);
      if (canceled.length === 0) return canceled;
      const data = (): Record<string, unknown>[] => canceled.map((job) => this.eventOf(job));
      await writeEvents(tx, { accountId, type: 'enhancement.failed', data, at: new Date() });
      await this.endRecorder.countItems(tx, batchId, { canceled: canceled.length });
      return canceled;
    });
    for (const job of jobs) this.endRecorder.announce(job);
    return jobs.length;
  }

  private eventOf(job: JobWithSource): Record<string, unknown> {
    return { job: this.presenter.present(job) };
  }
}
