import { Injectable } from '@nestjs/common';
import type { SkippedItemDto } from '../../common/resources/batch.dto.js';
import type { Queryable } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { QuotasService } from '../../quotas/quotas.service.js';
import { CallbackHosts } from '../../webhooks/callbacks/callback-hosts.js';
import { writeEvents } from '../../webhooks/events/outbox.js';
import { JobDispatch } from '../creation/job-dispatch.js';
import type { Batch, PlannedRequest } from './batch.js';
import { BatchCreationRepository } from './batch-creation.repository.js';
import { BatchPlanner, type PlannedJob } from './batch-planner.js';
import {
  type Allowance,
  type AskedJobs,
  BatchRefused,
  costOf,
  pixelsOf,
  type Reservation,
} from './batch-reservation.js';
import { BatchReuse } from './batch-reuse.js';
import type { ReusedItem } from './batch-reuse.repository.js';
import type { QuotaChoice } from './create-batch.dto.js';
import { plannedTestOutcome } from '../test-mode/test-outcome.js';

/** Reserves and inserts the jobs of a batch: a new one, or those that are retried. */
@Injectable()
export class BatchJobs {
  constructor(
    private readonly planner: BatchPlanner,
    private readonly repository: BatchCreationRepository,
    private readonly dispatch: JobDispatch,
    private readonly quotas: QuotasService,
    private readonly callbacks: CallbackHosts,
    private readonly reuse: BatchReuse,
  ) {}

  /** Makes sure that the callback of the batch can be delivered. @throws AppError `invalid_request` */
  async prepareCallback(
    tx: Queryable,
    { accountId }: Principal,
    { callbackUrl }: Pick<PlannedRequest, 'callbackUrl'>,
  ): Promise<void> {
    if (callbackUrl !== undefined) await this.callbacks.prepare(tx, accountId, callbackUrl);
  }

  /** Copies the results that items may use. Call it before the transaction. See `BatchReuse.copyKnown`. */
  copyKnown(
    principal: Principal,
    request: PlannedRequest,
    planned: readonly PlannedJob[],
  ): Promise<readonly ReusedItem[]> {
    return this.reuse.copyKnown(principal, request, planned);
  }

  /** Deletes copies after the transaction, unless it inserted their jobs or may have. */
  async discardUnused(copies: readonly ReusedItem[], used: readonly ReusedItem[]): Promise<void> {
    const ids = new Set(used.map(({ job }) => job.id));
    await this.reuse.discard(copies.filter(({ job }) => !ids.has(job.id)));
  }

  /**
   * Decides how many of the jobs without a copied result may be created, prepares the callback, and calls `write`. If
   * `write` fails, the jobs keep no room in the queue.
   * @throws BatchRefused when the quota does not suffice; AppError `invalid_request` for the callback,
   * `pixel_rate_limited`, `service_unavailable`; whatever `write` throws
   */
  async reserve<Written>(
    tx: Queryable,
    principal: Principal,
    asked: AskedJobs,
    onQuota: QuotaChoice,
    write: (reservation: Reservation) => Promise<Written>,
  ): Promise<Written> {
    const reservation = await this.reservation(tx, principal, asked, onQuota);
    try {
      return await write(reservation);
    } catch (error) {
      this.withdraw(principal, reservation.allowed);
      throw error;
    }
  }

  private async reservation(
    tx: Queryable,
    principal: Principal,
    { request, planned, reused }: AskedJobs,
    onQuota: QuotaChoice,
  ): Promise<Reservation> {
    if (reused.length > 0) {
      await this.reuse.keep(tx, reused);
      await this.reuse.lockStorage(tx, principal);
    }
    // After the storage counter, as where single jobs are created.
    await this.prepareCallback(tx, principal, request);
    const free = new Set(reused.map(({ job }) => job.id));
    return { ...(await this.allow(tx, principal, planned, free, onQuota)), reused };
  }

  /** Like `reserve`, but without copies: how many items would be completed at once. Keeps no room in the queue. */
  async preview(
    tx: Queryable,
    principal: Principal,
    { request, planned }: { request: PlannedRequest; planned: readonly PlannedJob[] },
    onQuota: QuotaChoice,
  ): Promise<Allowance & { readonly cached: number }> {
    const found = await this.reuse.preview(tx, principal, request, planned);
    const allowance = await this.allow(tx, principal, planned, new Set(found.keys()), onQuota);
    try {
      // As when they are inserted: the last copy may exceed the limit.
      const copiedBytes = [...found.values()].slice(0, -1).reduce((sum, job) => sum + job.resultBytes!, 0);
      if (!(await this.repository.hasRoom(tx, principal, copiedBytes)))
        throw new BatchRefused('storage', planned[0]!.job.createdAt);
    } finally {
      this.withdraw(principal, allowance.allowed);
    }
    return { ...allowance, cached: found.size };
  }

  /**
   * Decides how many of the jobs may be created. The counter stays locked, so that `insert` can take them.
   * @param free ids of the planned jobs that cost nothing
   */
  private async allow(
    tx: Queryable,
    principal: Principal,
    all: readonly PlannedJob[],
    free: ReadonlySet<string>,
    onQuota: QuotaChoice,
  ): Promise<Allowance> {
    const { period, createdAt, enhancements } = all[0]!.job;
    if (isQuotaTest(principal, all)) throw new BatchRefused('enhancements', createdAt);
    const planned = all.filter(({ job }) => !free.has(job.id));
    // Copied results cost nothing, so the counter stays free. Their storage is counted when they are inserted.
    if (planned.length === 0) {
      if (!(await this.repository.hasRoom(tx, principal))) throw new BatchRefused('storage', createdAt);
      return { allowed: [], skipped: [] };
    }
    await this.dispatch.admit(tx, principal, pixelsOf(planned), planned.length);
    try {
      const { used, hasRoom } = await this.repository.lockQuota(tx, principal, period);
      const left = Math.max(0, principal.limits.enhancements - used);
      // Every job does the same, so each costs the same: nothing in test mode.
      const most = Math.floor(left / Math.max(1, enhancements));
      const allowed = planned.slice(0, most);
      if (!hasRoom) throw new BatchRefused('storage', createdAt);
      const isNone = allowed.length + free.size === 0;
      if (isNone || (onQuota === 'all' && allowed.length < planned.length))
        throw new BatchRefused(
          'enhancements',
          createdAt,
          costOf(onQuota === 'all' ? planned : planned.slice(0, 1)),
        );
      const skipped = planned.slice(most);
      this.dispatch.withdraw(principal, pixelsOf(skipped));
      return { allowed, skipped: skipped.map((one) => this.skippedItem(one)) };
    } catch (error) {
      this.dispatch.withdraw(principal, pixelsOf(planned));
      throw error;
    }
  }

  /** Inserts reserved jobs, with their events. @throws BatchRefused when the storage is full */
  async insert(
    tx: Queryable,
    principal: Principal,
    batchId: string,
    { allowed, reused }: Reservation,
  ): Promise<void> {
    if (allowed.length > 0) await this.insertQueued(tx, principal, batchId, allowed);
    if (reused.length > 0 && !(await this.reuse.insert(tx, principal, batchId, reused)))
      throw new BatchRefused('storage', reused[0]!.job.createdAt);
  }

  /** The batch with its reused items counted; undefined without any. Must be the last statement of a transaction. */
  async countReused(tx: Queryable, batchId: string, { reused }: Reservation): Promise<Batch | undefined> {
    return reused.length > 0 ? this.reuse.count(tx, batchId, reused) : undefined;
  }

  private async insertQueued(
    tx: Queryable,
    principal: Principal,
    batchId: string,
    allowed: readonly PlannedJob[],
  ): Promise<void> {
    const { accountId } = principal;
    await this.repository.createJobs(
      tx,
      principal,
      batchId,
      allowed.map(({ job }) => job),
    );
    await writeEvents(tx, {
      accountId,
      type: 'enhancement.queued',
      data: () => allowed.map((one) => ({ job: this.planner.answerOf(one, batchId, accountId) })),
      at: allowed[0]!.job.createdAt,
    });
  }

  /** Reverts the counts in memory, for jobs that are not created. */
  private withdraw(principal: Principal, allowed: readonly PlannedJob[]): void {
    this.dispatch.withdraw(principal, pixelsOf(allowed));
  }

  /** Enqueues committed jobs in the background. */
  enqueueSoon(jobs: readonly PlannedJob[]): void {
    this.dispatch.enqueueManySoon(jobs.map(({ job }) => job.id));
  }

  /** The response to a refused request; any other error unchanged. */
  async answerRefusal(principal: Principal, error: unknown): Promise<unknown> {
    return error instanceof BatchRefused
      ? this.quotas.refuse(principal, error.quota, error.at, error.needed)
      : error;
  }

  private skippedItem(one: PlannedJob): SkippedItemDto {
    const { batchIndex } = one.job;
    return { index: batchIndex, sourceUrl: this.planner.sourceUrlOf(one.source), reason: 'quota_exceeded' };
  }
}

/**
 * Whether the metadata or an upload asks for a refused quota.
 * @throws AppError `invalid_request`, `rate_limited` as the metadata or an upload asks for
 */
function isQuotaTest({ accountId }: Principal, planned: readonly PlannedJob[]): boolean {
  return planned
    .map(({ job: { metadata }, source }) =>
      plannedTestOutcome({ accountId, metadata, sourceName: source.name }),
    )
    .includes('quota_exceeded');
}
