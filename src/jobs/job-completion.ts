import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../infra/database/database.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import type { ErrorCode } from '../kernel/error-codes.js';
import { QuotasRepository } from '../quotas/quotas.repository.js';
import type { EventType } from '../webhooks/events/event-types.js';
import { writeEvent } from '../webhooks/events/outbox.js';
import { JobLeaseRepository, type JobWork, type Lease } from './queue/job-lease.repository.js';
import { JobPresenter } from './job-presenter.js';
import { JobsRepository } from './jobs.repository.js';
import { thumbnailKey } from '../uploads/thumbnails/thumbnail.js';

/** Completes or fails a job in one transaction: state, quota, storage and events. */
@Injectable()
export class JobCompletion {
  constructor(
    private readonly database: Database,
    private readonly leases: JobLeaseRepository,
    private readonly jobs: JobsRepository,
    private readonly quotas: QuotasRepository,
    private readonly presenter: JobPresenter,
    private readonly store: ObjectStore,
  ) {}

  /** Completes a job. False when the lease is no longer held; nothing was changed then. */
  async complete(lease: Lease, work: JobWork): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const owner = await this.leases.complete(tx, lease, work);
      if (owner === undefined) return false;
      await this.quotas.commitEnhancement(tx, owner.accountId, lease.jobId, owner.period);
      await this.quotas.addStorage(tx, owner.accountId, work.result.bytes);
      await this.tell(tx, owner.accountId, lease.jobId, 'enhancement.completed');
      return true;
    });
  }

  /**
   * Fails a job and refunds its enhancement. With a token only if the lease is still held; without one in any
   * case (cancel, sweep). False when it had already ended.
   */
  async fail(jobId: string, token: string | null, code: ErrorCode, message: string | null): Promise<boolean> {
    return this.database.transaction((tx) => this.failIn(tx, jobId, token, code, message));
  }

  private async failIn(
    tx: Queryable,
    jobId: string,
    token: string | null,
    code: ErrorCode,
    message: string | null,
  ): Promise<boolean> {
    const owner = await this.leases.fail(tx, jobId, token, code, message);
    if (owner === undefined) return false;
    await this.quotas.refundEnhancement(tx, owner.accountId, jobId, owner.period);
    await this.tell(tx, owner.accountId, jobId, 'enhancement.failed');
    return true;
  }

  /** Deletes the object of a result and frees its storage. Does nothing without a result. */
  async eraseResult(jobId: string): Promise<void> {
    const key = await this.database.transaction((tx) => this.markErasedIn(tx, jobId));
    if (key !== undefined) await this.deleteObjects(jobId, key);
  }

  /**
   * Cancels a job if necessary, hides it, and erases its result in one transaction. After a crash an object
   * without a row may remain, which the dispatcher deletes.
   */
  async delete(accountId: string, jobId: string): Promise<void> {
    const key = await this.database.transaction(async (tx) => {
      await this.failIn(tx, jobId, null, 'canceled', null);
      await this.jobs.markDeleted(tx, accountId, jobId);
      return this.markErasedIn(tx, jobId);
    });
    if (key !== undefined) await this.deleteObjects(jobId, key);
  }

  private async deleteObjects(jobId: string, resultKey: string): Promise<void> {
    await this.store.delete(resultKey);
    await this.store.delete(thumbnailKey(jobId));
  }

  /** Marks a result as erased and frees its storage. Returns the key of the object to delete, if any. */
  private async markErasedIn(tx: Queryable, jobId: string): Promise<string | undefined> {
    const marked = await this.jobs.markErased(tx, jobId);
    if (marked !== undefined) await this.quotas.addStorage(tx, marked.accountId, -marked.resultBytes);
    return marked?.resultKey;
  }

  private async tell(tx: Queryable, accountId: string, jobId: string, type: EventType): Promise<void> {
    const job = await this.jobs.findById(jobId, tx);
    await writeEvent(tx, { accountId, type, data: { job: this.presenter.present(job!) }, at: new Date() });
  }
}
