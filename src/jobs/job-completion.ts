import { Injectable, Logger } from '@nestjs/common';
import { Database, type Queryable } from '../infra/database/database.js';
import { ObjectErasures } from '../infra/storage/object-erasures.js';
import type { ErrorCode } from '../kernel/errors/error-codes.js';
import { QuotasRepository, type Reservation } from '../quotas/quotas.repository.js';
import type { JobEntity } from './job.entity.js';
import { JobLeaseRepository, type JobWork, type Lease } from './queue/job-lease.repository.js';
import { JobEndRecorder } from './job-end-recorder.js';
import { JobsRepository } from './jobs.repository.js';
import { thumbnailKey } from '../uploads/thumbnails/thumbnail.js';

/**
 * How long the end of a leased job waits for rows that others hold, such as the storage of its account. It holds the
 * job's row meanwhile, for which the renewal of all leases of the worker waits. The worker tries again.
 */
const LOCK_WAIT_MS = 3_000;

/** Completes or fails a job in one transaction: state, quota, storage and events. */
@Injectable()
export class JobCompletion {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly database: Database,
    private readonly leases: JobLeaseRepository,
    private readonly jobs: JobsRepository,
    private readonly quotas: QuotasRepository,
    private readonly endRecorder: JobEndRecorder,
    private readonly erasures: ObjectErasures,
  ) {}

  /**
   * Completes a job. False when the lease is no longer held; nothing was changed then.
   * @throws database errors, which are repeatable when a row was held for too long
   */
  async complete(lease: Lease, work: JobWork): Promise<boolean> {
    const ended = await this.database.transaction(
      async (tx) => {
        const job = await this.leases.complete(tx, lease, work);
        return job && this.endRecorder.record(tx, job);
      },
      { lockWaitMs: LOCK_WAIT_MS },
    );
    return this.announced(ended);
  }

  /**
   * Fails a job and refunds its enhancements. With a token only if the lease is still held; without one in any
   * case (cancel, sweep): such callers do not try again, so they wait longer for rows that others hold. False when it
   * had already ended.
   */
  async fail(jobId: string, token: string | null, code: ErrorCode, message: string | null): Promise<boolean> {
    const limits = token === null ? {} : { lockWaitMs: LOCK_WAIT_MS };
    const ended = await this.database.transaction(
      (tx) => this.failIn(tx, jobId, token, code, message),
      limits,
    );
    return this.announced(ended);
  }

  /** Fails a job whose worker was lost. False when the worker has renewed its lease, or the job has ended. */
  async failLost(lease: Lease): Promise<boolean> {
    const ended = await this.database.transaction(
      async (tx) => this.settleIn(tx, lease.jobId, await this.leases.failLost(tx, lease)),
      { lockWaitMs: LOCK_WAIT_MS },
    );
    return this.announced(ended);
  }

  private async failIn(
    tx: Queryable,
    jobId: string,
    token: string | null,
    code: ErrorCode,
    message: string | null,
  ): Promise<JobEntity | undefined> {
    return this.settleIn(tx, jobId, await this.leases.fail(tx, jobId, token, code, message));
  }

  /** @param owner undefined when the job was not failed */
  private async settleIn(
    tx: Queryable,
    jobId: string,
    owner: Reservation | undefined,
  ): Promise<JobEntity | undefined> {
    if (owner === undefined) return undefined;
    await this.quotas.refundEnhancements(tx, jobId, owner);
    return this.endRecorder.record(tx, (await this.jobs.findById(jobId, tx))!);
  }

  /**
   * Deletes the object of a result and frees its storage; with `retention: "deliver"` the source, too, also that of a
   * failed job. Does nothing without a result and such a source.
   * @throws errors of the store; the dispatcher deletes the objects later
   */
  async eraseResult(jobId: string): Promise<void> {
    await this.erasures.eraseThese(await this.database.transaction((tx) => this.markErasedIn(tx, jobId)));
  }

  /**
   * Cancels a job if necessary, hides it, and erases its result in one transaction; with `retention: "deliver"` the
   * source, too. The dispatcher deletes the objects that cannot be deleted now.
   * @returns whether the job was canceled; false when it had ended before
   */
  async delete(accountId: string, jobId: string): Promise<boolean> {
    const { ended, keys } = await this.database.transaction(async (tx) => {
      const failed = await this.failIn(tx, jobId, null, 'canceled', null);
      await this.jobs.markDeleted(tx, accountId, jobId);
      return { ended: failed, keys: failed === undefined ? await this.markErasedIn(tx, jobId) : [] };
    });
    const isCanceled = this.announced(ended);
    try {
      // A refund locks the counter of enhancements, which uploads lock after the storage, so the source is erased in a
      // transaction of its own.
      if (isCanceled) await this.eraseResult(jobId);
      await this.erasures.eraseThese(keys);
    } catch (error) {
      // The job is deleted, and the dispatcher erases the rest.
      this.logger.warn({ jobId, error: String(error) }, 'could not erase the images of a deleted job yet');
    }
    return isCanceled;
  }

  /** Marks a result as erased, frees its storage, and records its objects. Returns the keys of those to delete. */
  private async markErasedIn(tx: Queryable, jobId: string): Promise<string[]> {
    const marked = await this.jobs.markErased(tx, jobId);
    if (marked === undefined) return [];
    const { accountId, resultKey, resultBytes, retention, sourceId } = marked;
    const keys = resultKey === null ? [] : [resultKey, thumbnailKey(jobId)];
    await this.erasures.record(tx, keys);
    // Before the storage is counted: deleting a source locks in this order, too.
    if (retention === 'deliver') keys.push(...(await this.jobs.eraseSource(tx, sourceId)));
    if (resultKey !== null) await this.quotas.addStorage(tx, accountId, -resultBytes);
    return keys;
  }

  /** False for a job that had ended before. */
  private announced(ended: JobEntity | undefined): boolean {
    if (ended === undefined) return false;
    this.endRecorder.announce(ended);
    return true;
  }
}
