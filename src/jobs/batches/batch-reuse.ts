import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import { writeEvents } from '../../webhooks/events/outbox.js';
import { ResultCache } from '../cache/result-cache.js';
import { JobEndRecorder } from '../job-end-recorder.js';
import { JobPresenter, type JobWithSource } from '../job-presenter.js';
import type { Batch, PlannedRequest } from './batch.js';
import type { PlannedJob } from './batch-planner.js';
import { BatchReuseRepository, type ReusedItem } from './batch-reuse.repository.js';

/** Results that are copied at the same time. */
const COPIES_AT_ONCE = 16;

/** Completes items of batches at once with the results of equal jobs. They cost no enhancement. */
@Injectable()
export class BatchReuse {
  constructor(
    private readonly cache: ResultCache,
    private readonly repository: BatchReuseRepository,
    private readonly presenter: JobPresenter,
    private readonly recorder: JobEndRecorder,
  ) {}

  /** The jobs whose results the items may use, by the id of the planned job. */
  async find(
    on: Queryable,
    principal: Principal,
    { cache }: Pick<PlannedRequest, 'cache'>,
    planned: readonly PlannedJob[],
  ): Promise<ReadonlyMap<string, JobWithSource>> {
    const asked = { jobs: planned.map(({ job }) => job), models: planned[0]!.models };
    const found = await this.cache.findAll(on, principal, {
      ...asked,
      ...(cache !== undefined && { cache }),
    });
    return new Map(
      asked.jobs.flatMap(({ id, requestHash }) => {
        const original = found.get(requestHash.toString('hex'));
        return original === undefined ? [] : [[id, original] as const];
      }),
    );
  }

  /** Copies the results of `find`. Leaves out items whose result has just been erased. */
  async copy(
    originals: ReadonlyMap<string, JobWithSource>,
    planned: readonly PlannedJob[],
  ): Promise<ReusedItem[]> {
    const reused: ReusedItem[] = [];
    const open = planned.values();
    const copyOpen = async (): Promise<void> => {
      for (const { job, source } of open) {
        const original = originals.get(job.id);
        if (original === undefined) continue;
        const copied = await this.cache.copyFor(original, job, source.format);
        if (copied !== undefined) reused.push({ job: copied, originalId: original.id });
      }
    };
    const copying = await Promise.allSettled(Array.from({ length: COPIES_AT_ONCE }, copyOpen));
    const failed = copying.find((each) => each.status === 'rejected');
    if (failed === undefined) return reused.toSorted((a, b) => a.job.batchIndex! - b.job.batchIndex!);
    await this.discard(reused);
    throw failed.reason;
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
    const { hasRoom, created } = await this.repository.insert(tx, principal, batchId, items);
    if (!hasRoom) return false;
    if (created < items.length) throw new AppError('service_unavailable');
    await writeEvents(tx, {
      accountId: principal.accountId,
      type: 'enhancement.completed',
      data: () => items.map(({ job }) => ({ job: this.presenter.present({ ...job, batchId }) })),
      at: items[0]!.job.completedAt!,
    });
    return true;
  }

  /** Counts inserted items as completed. They may be the last ones of the batch. */
  count(tx: Queryable, batchId: string, items: readonly ReusedItem[]): Promise<Batch> {
    return this.recorder.countItems(tx, batchId, { completed: items.length });
  }

  /** Deletes the copies of items that were not created. The orphan sweep deletes what cannot be deleted now. */
  async discard(items: readonly ReusedItem[]): Promise<void> {
    for (const { job } of items) await this.cache.discard(job).catch(() => undefined);
  }
}
