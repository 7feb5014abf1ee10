import { Injectable } from '@nestjs/common';
import { type Page, pageOf, readCursor } from '../../common/lists/pagination.js';
import type { BatchDetailDto, BatchDto, BatchWithSkippedDto } from '../../common/resources/batch.dto.js';
import type { JobDto } from '../../common/resources/job.dto.js';
import type { IdempotentAnswer } from '../../idempotency/idempotency.service.js';
import { AppError } from '../../kernel/app-error.js';
import { isId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { JobPresenter } from '../job-presenter.js';
import type { Batch } from './batch.js';
import { BatchCancellation } from './batch-cancellation.js';
import { BatchCreation } from './batch-creation.js';
import { failureOf, presentBatch } from './batch-presenter.js';
import { BatchRetry } from './batch-retry.js';
import { BatchesRepository } from './batches.repository.js';
import type { CreateBatchDto } from './create-batch.dto.js';
import { itemPageOf, readItemCursor } from './item-cursor.js';
import type { ListBatchJobsQueryDto } from './list-batch-jobs-query.dto.js';
import type { RetryBatchDto } from './retry-batch.dto.js';

const MAX_FAILURES = 100;

@Injectable()
export class BatchesService {
  constructor(
    private readonly creation: BatchCreation,
    private readonly cancellation: BatchCancellation,
    private readonly retrying: BatchRetry,
    private readonly batches: BatchesRepository,
    private readonly presenter: JobPresenter,
  ) {}

  create(
    principal: Principal,
    dto: CreateBatchDto,
    key: string | undefined,
  ): Promise<IdempotentAnswer<BatchWithSkippedDto>> {
    return this.creation.create(principal, dto, key);
  }

  /** @throws AppError `not_found` */
  async get(accountId: string, id: string): Promise<BatchDetailDto> {
    const batch = await this.read(accountId, id);
    const filter = { afterIndex: -1, status: 'failed', isCanceled: false } as const;
    const failed = batch.failed > 0 ? await this.batches.items(accountId, id, filter, MAX_FAILURES) : [];
    const failures = failed.map((job) => failureOf(this.presenter.present(job)));
    return Object.assign(presentBatch(batch), { failures });
  }

  /** @throws AppError `invalid_cursor` */
  async list(accountId: string, limit: number, cursor: string | undefined): Promise<Page<BatchDto>> {
    const beforeId = cursor === undefined ? undefined : readCursor('batch', cursor);
    return pageOf(await this.batches.list(accountId, beforeId, limit), limit, presentBatch);
  }

  /** Its items in the order of the request. @throws AppError `not_found`, `invalid_cursor` */
  async jobs(accountId: string, id: string, query: ListBatchJobsQueryDto): Promise<Page<JobDto>> {
    const { limit, cursor, status } = query;
    const afterIndex = cursor === undefined ? -1 : readItemCursor(cursor);
    await this.read(accountId, id);
    const items = await this.batches.items(accountId, id, { afterIndex, status }, limit + 1);
    return itemPageOf(
      items.map((item) => this.presenter.present(item)),
      limit,
    );
  }

  /** @throws AppError `not_found`, `batch_already_finished` */
  async cancel(accountId: string, id: string): Promise<BatchDto> {
    const { completedAt } = await this.read(accountId, id);
    if (completedAt !== null) throw new AppError('batch_already_finished');
    await this.cancellation.cancel(accountId, id);
    return presentBatch(await this.read(accountId, id));
  }

  /** @throws AppError `not_found`, `nothing_to_retry`, and the errors of a creation */
  async retry(
    principal: Principal,
    id: string,
    dto: RetryBatchDto,
    key: string | undefined,
  ): Promise<IdempotentAnswer<BatchWithSkippedDto>> {
    return this.retrying.retry(principal, await this.read(principal.accountId, id), dto, key);
  }

  /** @throws AppError `not_found` */
  async read(accountId: string, id: string): Promise<Batch> {
    // PostgreSQL refuses some invalid ids, so they are not queried.
    const batch = isId('batch', id) ? await this.batches.find(accountId, id) : undefined;
    if (batch !== undefined) return batch;
    throw new AppError('not_found', { detail: `There is no batch "${id}" in your account.` });
  }
}
