import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { JobStatus } from '../../kernel/operations.js';
import { JOBS_WITH_SOURCE } from '../job-list-query.js';
import type { JobWithSource } from '../job-presenter.js';
import { type Batch, BATCH_COLUMNS } from './batch.js';

const FIND: Prepared = {
  name: 'batch_find',
  text: `SELECT ${BATCH_COLUMNS} FROM batches WHERE account_id = $1 AND id = $2`,
};

/** Not prepared, so that PostgreSQL plans it for its values: with a cursor or without one. */
const LIST = `
  SELECT ${BATCH_COLUMNS} FROM batches
   WHERE account_id = $1 AND ($2::text IS NULL OR id COLLATE "C" < $2) ORDER BY id COLLATE "C" DESC LIMIT $3`;

/** The current job of each item; those that a retry replaced are left out. */
const ITEMS: Prepared = {
  name: 'batch_items',
  text: `${JOBS_WITH_SOURCE}
    WHERE j."batchId" = $1 AND j."accountId" = $2 AND j."batchIndex" > $3 AND j."retriedAs" IS NULL
      AND j."deletedAt" IS NULL AND ($4::text IS NULL OR j.status = $4)
      AND ($5::boolean IS NULL OR (j."errorCode" IS NOT DISTINCT FROM 'canceled') = $5)
    ORDER BY j."batchIndex" LIMIT $6`,
};

export interface ItemFilter {
  /** Only items after this position; −1: from the first one. */
  readonly afterIndex: number;
  readonly status?: JobStatus | undefined;
  /** Whether failed items were canceled. If absent, both are listed. */
  readonly isCanceled?: boolean | undefined;
}

/** Reads batches and their items. */
@Injectable()
export class BatchesRepository {
  constructor(private readonly database: Database) {}

  async find(accountId: string, id: string): Promise<Batch | undefined> {
    return (await this.database.query<Batch>(FIND, [accountId, id]))[0];
  }

  /** Newest first, one more than `limit`. */
  async list(accountId: string, beforeId: string | undefined, limit: number): Promise<Batch[]> {
    return this.database.lists.query<Batch>(LIST, [accountId, beforeId ?? null, limit + 1]);
  }

  /** Items in the order of the request, without deleted ones. */
  async items(
    accountId: string,
    batchId: string,
    filter: ItemFilter,
    limit: number,
  ): Promise<JobWithSource[]> {
    const { afterIndex, status, isCanceled } = filter;
    return this.database.query<JobWithSource>(ITEMS, [
      batchId,
      accountId,
      afterIndex,
      status ?? null,
      isCanceled ?? null,
      limit,
    ]);
  }
}
