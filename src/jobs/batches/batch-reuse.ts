import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { inParallel } from '../../kernel/concurrency/in-parallel.js';
import type { Principal } from '../../kernel/principal.js';
import { writeEvents } from '../../webhooks/events/outbox.js';
import { CopyRateLimit } from '../cache/copy-rate-limit.js';
import { copyKeys, ResultCache } from '../cache/result-cache.js';
import { ResultCopiesRepository } from '../cache/result-copies.repository.js';
import { JobEndRecorder } from '../job-end-recorder.js';
import { JobPresenter, type JobWithSource } from '../job-presenter.js';
import { testOutcomeOf } from '../test-mode/test-outcome.js';
import type { Batch, PlannedRequest } from './batch.js';
import type { PlannedJob } from './batch-planner.js';
import { BatchReuseRepository, type ReusedItem } from './batch-reuse.repository.js';

/** Results that are copied or deleted at the same time, for each request. */
const COPIES_AT_ONCE = 16;

/** Completes items of batches at once with the results of equal jobs. They cost no enhancement. */
@Injectable()
export class BatchReuse {
  constructor(
    private readonly cache: ResultCache,
    private readonly repository: BatchReuseRepository,
    private readonly presenter: JobPresenter,
    private readonly recorder: JobEndRecorder,
    private readonly copies: ResultCopiesRepository,
    private readonly database: Database,
    private readonly copyRateLimit: CopyRateLimit,
  ) {}

  /** The jobs whose results the items may use, by the id of the planned job. */
  private async find(
    on: Queryable,
    principal: Principal,
    { cache }: Pick<PlannedRequest, 'cache'>,
    planned: readonly PlannedJob[],
  ): Promise<ReadonlyMap<string, JobWithSource>> {
    const jobs = planned.filter((one) => mayReuse(principal, one)).map(({ job }) => job);
    if (jobs.length === 0) return new Map();
    const found = await this.cache.findAll(on, principal, {
      jobs,
      models: planned[0]!.models,
      ...(cache !== undefined && { cache }),
    });
    return new Map(
      jobs.flatMap(({ id, requestHash }) => {
        const original = found.get(requestHash.toString('hex'));
        return original === undefined ? [] : [[id, original] as const];
      }),
    );
  }

  /** Like `find`, but as `copyKnown` would: also counts the copies. @throws AppError `rate_limited` */
  async preview(
    tx: Queryable,
    principal: Principal,
    request: Pick<PlannedRequest, 'cache'>,
    planned: readonly PlannedJob[],
  ): Promise<ReadonlyMap<string, JobWithSource>> {
    const originals = await this.find(tx, principal, request, planned);
    if (originals.size > 0) await this.copyRateLimit.take(tx, principal, originals.size);
    return originals;
  }

  /**
   * Copies the results that items may use, outside of any transaction: a slow store must not hold a connection. Leaves
   * out items whose result has just been erased. The objects are recorded first, so that a killed process leaves none.
   * @throws AppError `rate_limited` when the account has copied too many in the last minute; `service_unavailable` when
   * copying took longer than an hour
   */
  async copyKnown(
    principal: Principal,
    request: Pick<PlannedRequest, 'cache'>,
    planned: readonly PlannedJob[],
  ): Promise<readonly ReusedItem[]> {
    const originals = await this.find(this.database, principal, request, planned);
    if (originals.size === 0) return [];
    await this.copyRateLimit.take(this.database, principal, originals.size);
    const recorded = new Map([...originals].map(([id, original]) => [id, copyKeys(original, id)]));
    await this.copies.record(objectsOf([...recorded.values()]));
    const reused: ReusedItem[] = [];
    const items = planned.filter(({ job }) => originals.has(job.id));
    try {
      await inParallel(items, COPIES_AT_ONCE, async ({ job, source }) => {
        const original = originals.get(job.id)!;
        const copied = await this.cache.copyFor(original, job, source.format);
        if (copied === undefined) return;
        reused.push({ job: copied, originalId: original.id });
        recorded.delete(job.id);
      });
      // The items that are left out are enhanced. A worker stores their results under the same keys.
      await this.forget(this.database, objectsOf([...recorded.values()]));
    } catch (error) {
      await this.discard(reused);
      throw error;
    }
    return reused.toSorted((a, b) => a.job.batchIndex! - b.job.batchIndex!);
  }

  /**
   * Gives the copies to the jobs that this transaction inserts.
   * @throws AppError `service_unavailable` when they are being erased, because copying took longer than an hour
   */
  async keep(tx: Queryable, items: readonly ReusedItem[]): Promise<void> {
    await this.forget(tx, keysOf(items));
  }

  /** @throws AppError `service_unavailable` when some of the objects are being erased */
  private async forget(on: Queryable, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    if ((await this.copies.forget(on, keys)) < keys.length)
      throw new AppError('service_unavailable', { retryAfterSeconds: 1 });
  }

  /**
   * Locks the storage counter. Uploads that create their job lock it before the enhancements, so `insert` would wait
   * for it too late.
   */
  lockStorage(tx: Queryable, { accountId }: Principal): Promise<void> {
    return this.repository.lockStorage(tx, accountId);
  }

  /**
   * Inserts the items, with their events. Call `lockStorage` before anything else is locked.
   * @returns false when the storage is full
   * @throws AppError `service_unavailable` when an earlier job has just been erased
   */
  async insert(
    tx: Queryable,
    principal: Principal,
    batchId: string,
    items: readonly ReusedItem[],
  ): Promise<boolean> {
    const times = await this.repository.insert(tx, principal, batchId, items);
    if (times === undefined) return false;
    if (times.size < items.length) throw new AppError('service_unavailable', { retryAfterSeconds: 1 });
    const jobs = items.map(({ job }) => ({ ...job, ...times.get(job.id), batchId }));
    await writeEvents(tx, {
      accountId: principal.accountId,
      type: 'enhancement.completed',
      data: () => jobs.map((job) => ({ job: this.presenter.present(job) })),
      at: jobs[0]!.completedAt!,
    });
    return true;
  }

  /** Counts inserted items as completed. They may be the last ones of the batch. */
  count(tx: Queryable, batchId: string, items: readonly ReusedItem[]): Promise<Batch> {
    return this.recorder.countItems(tx, batchId, { completed: items.length });
  }

  /** Deletes copies that no job was given. What cannot be deleted now is erased later. */
  async discard(items: readonly ReusedItem[]): Promise<void> {
    if (items.length === 0) return;
    const deleted: ReusedItem[] = [];
    await inParallel(items, COPIES_AT_ONCE, async (item) => {
      const isDeleted = this.cache.discard(item.job).then(
        () => true,
        () => false,
      );
      if (await isDeleted) deleted.push(item);
    });
    await this.copies.forgetDeleted(keysOf(deleted)).catch(() => undefined);
  }
}

/** A reused result would hide the outcome that a test asks for. */
function mayReuse({ accountId }: Principal, { job: { metadata }, source }: PlannedJob): boolean {
  return testOutcomeOf({ accountId, metadata, sourceName: source.name }) === undefined;
}

function keysOf(items: readonly ReusedItem[]): string[] {
  return objectsOf(items.map(({ job }) => copyKeys(job, job.id)));
}

function objectsOf(copies: readonly ReturnType<typeof copyKeys>[]): string[] {
  return copies.flatMap(({ key, thumbnail }) => [key, thumbnail]);
}
