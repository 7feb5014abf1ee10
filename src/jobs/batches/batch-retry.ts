import { Injectable } from '@nestjs/common';
import type { BatchWithSkippedDto, SkippedItemDto } from '../../common/resources/batch.dto.js';
import {
  fingerprintOf,
  type IdempotentAnswer,
  IdempotencyService,
} from '../../idempotency/idempotency.service.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import type { Batch } from './batch.js';
import { BatchCountersRepository } from './batch-counters.repository.js';
import { BatchEndingsRepository, type FailedItem } from './batch-endings.repository.js';
import { BatchJobs } from './batch-jobs.js';
import { BatchPlanner, invalidItems, type PlannedJob } from './batch-planner.js';
import { presentBatch } from './batch-presenter.js';
import type { ReusedItem } from './batch-reuse.repository.js';
import type { RetryBatchDto } from './retry-batch.dto.js';
import { UnconfirmedCommit } from '../../infra/database/database-errors.js';

interface PreparedRetry {
  readonly planned: PlannedJob[];
  readonly unplanned: SkippedItemDto[];
  /** Results of equal jobs, copied for some of the planned jobs. */
  readonly copies: readonly ReusedItem[];
}

interface WrittenRetry {
  readonly created: readonly PlannedJob[];
  readonly used: readonly ReusedItem[];
  readonly answer: BatchWithSkippedDto;
}

interface AskedRetry extends RetryBatchDto {
  /** Retries only this failed job. */
  readonly itemId?: string;
}

/** Retries the failed items of a batch: each becomes a new job, planned and charged like the first one. */
@Injectable()
export class BatchRetry {
  constructor(
    private readonly planner: BatchPlanner,
    private readonly repository: BatchEndingsRepository,
    private readonly counters: BatchCountersRepository,
    private readonly jobs: BatchJobs,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  /** @throws AppError `nothing_to_retry`, and the errors of a creation */
  async retry(
    principal: Principal,
    batch: Batch,
    dto: RetryBatchDto,
    key: string | undefined,
  ): Promise<IdempotentAnswer<BatchWithSkippedDto>> {
    const { accountId } = principal;
    const fingerprint = fingerprintOf(`POST /api/ai/batches/${batch.id}/retry`, dto);
    const known = await this.idempotency.find<BatchWithSkippedDto>({ accountId, key, fingerprint });
    if (known !== undefined) return known;
    const prepared = await this.prepare(principal, batch, dto);
    if (prepared === null) {
      // The same request may have retried them since the first look.
      const replay = await this.idempotency.find<BatchWithSkippedDto>({ accountId, key, fingerprint });
      if (replay !== undefined) return replay;
      throw new AppError('nothing_to_retry');
    }
    const write = (tx: Queryable) => this.write(tx, principal, batch, prepared, dto);
    return this.run(principal, prepared, write, (writing) =>
      this.idempotency.run({ accountId, key, fingerprint }, async (tx) => (await writing(tx)).answer),
    );
  }

  /**
   * Retries one failed item, as its owner could.
   * @param record runs in the same transaction, with the id of the new job
   * @returns the id of the new job; undefined when the item has been retried before
   * @throws AppError the errors of a creation
   */
  async retryItem(
    principal: Principal,
    batch: Batch,
    itemId: string,
    record: (tx: Queryable, newId: string) => Promise<void>,
  ): Promise<string | undefined> {
    const dto = { itemId };
    const prepared = await this.prepare(principal, batch, dto);
    if (prepared === null) return undefined;
    const newId = prepared.planned[0]!.job.id;
    const write = (tx: Queryable) => this.write(tx, principal, batch, prepared, dto);
    try {
      await this.run(principal, prepared, write, (writing) =>
        this.database.transaction(async (tx) => {
          // First, since the row of the batch is to be locked for a short time.
          await record(tx, newId);
          await writing(tx);
          return { replayed: false };
        }),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'nothing_to_retry') return undefined;
      throw error;
    }
    return newId;
  }

  /** Writes a retry in the transaction of `transact`, and enqueues its jobs. Erases the copies that it does not use. */
  private async run<Answer extends { readonly replayed: boolean }>(
    principal: Principal,
    { copies }: PreparedRetry,
    write: (tx: Queryable) => Promise<WrittenRetry>,
    transact: (writing: (tx: Queryable) => Promise<WrittenRetry>) => Promise<Answer>,
  ): Promise<Answer> {
    let created: readonly PlannedJob[] = [];
    let used: readonly ReusedItem[] = [];
    try {
      const answer = await transact(async (tx) => {
        const written = await write(tx);
        created = written.created;
        used = written.used;
        return written;
      });
      if (!answer.replayed) this.jobs.enqueueSoon(created);
      await this.jobs.discardUnused(copies, used);
      return answer;
    } catch (error) {
      // After an unconfirmed commit, the jobs may exist and need their results.
      if (!(error instanceof UnconfirmedCommit)) await this.jobs.discardUnused(copies, []);
      throw await this.jobs.answerRefusal(principal, error);
    }
  }

  /** Everything that needs no transaction: planning, and copying results, which may take long. Null: nothing to retry. */
  private async prepare(
    principal: Principal,
    batch: Batch,
    { includeCanceled = false, itemId }: AskedRetry,
  ): Promise<PreparedRetry | null> {
    const failed = chosen(await this.repository.retryable(this.database, batch.id, includeCanceled), itemId);
    if (failed.length === 0) return null;
    const { planned, unplanned } = await this.planFailed(this.database, principal, batch, failed);
    return { planned, unplanned, copies: await this.jobs.copyKnown(principal, batch.request, planned) };
  }

  private async write(
    tx: Queryable,
    principal: Principal,
    batch: Batch,
    { planned, unplanned, copies }: PreparedRetry,
    { includeCanceled = false, onQuota = 'all', itemId }: AskedRetry,
  ): Promise<WrittenRetry> {
    const failed = chosen(await this.repository.lockRetryable(tx, batch.id, includeCanceled), itemId);
    const byIndex = new Map(failed.map((item) => [item.index, item]));
    // Another retry may have replaced some of them meanwhile.
    const still = planned.filter(({ job }) => byIndex.has(job.batchIndex));
    const reusable = copies.filter(({ job }) => byIndex.has(job.batchIndex!));
    if (still.length === 0) throw new AppError('nothing_to_retry');
    const asked = { request: batch.request, planned: still, reused: reusable };
    return this.jobs.reserve(tx, principal, asked, onQuota, async (reservation) => {
      const { allowed, reused, skipped } = reservation;
      await this.jobs.insert(tx, principal, batch.id, reservation);
      const replaced = [...allowed, ...reused].map(({ job }) =>
        Object.assign({}, byIndex.get(job.batchIndex!)!, { newId: job.id }),
      );
      await this.repository.markRetried(tx, replaced);
      const reopened = await this.counters.reopen(tx, batch.id, countsOf(replaced));
      const counted = (await this.jobs.countReused(tx, batch.id, reservation)) ?? reopened;
      const answer = Object.assign(presentBatch(counted), { skipped: [...unplanned, ...skipped] });
      return { created: allowed, used: reused, answer };
    });
  }

  /** Skips items that can no longer be planned because their source was deleted. Throws if that is all of them. */
  private async planFailed(
    on: Queryable,
    principal: Principal,
    { request }: Batch,
    failed: readonly FailedItem[],
  ): Promise<{ planned: PlannedJob[]; unplanned: SkippedItemDto[] }> {
    const items = await this.planner.plan(on, principal, this.planner.restored(principal, request), failed);
    const planned = items.flatMap(({ outcome }) => ('error' in outcome ? [] : [outcome]));
    if (planned.length === 0) throw invalidItems(items);
    const unplanned = items.flatMap(({ index, outcome }, at) => {
      if (!('error' in outcome)) return [];
      const { sourceId, sourceFormat } = failed[at]!;
      const sourceUrl = this.planner.sourceUrlOf({ id: sourceId, format: sourceFormat });
      return [{ index, sourceUrl, reason: outcome.error.code }];
    });
    return { planned, unplanned };
  }
}

function countsOf(items: readonly Pick<FailedItem, 'isCanceled'>[]): { failed: number; canceled: number } {
  const canceled = items.filter(({ isCanceled }) => isCanceled).length;
  return { failed: items.length - canceled, canceled };
}

function chosen(failed: readonly FailedItem[], itemId: string | undefined): readonly FailedItem[] {
  return itemId === undefined ? failed : failed.filter(({ id }) => id === itemId);
}
