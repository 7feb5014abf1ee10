import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { type Batch, BATCH_COLUMNS } from './batch.js';

/**
 * The row lock serializes the transactions that end items, so exactly one of them finds that its item was the
 * last one. Each keeps the lock until its commit: this is the last statement that may wait.
 */
const COUNT: Prepared = {
  name: 'batch_count_ended',
  text: `UPDATE batches SET completed = completed + $2, failed = failed + $3, canceled = canceled + $4,
                completed_at = CASE WHEN completed + failed + canceled + $2 + $3 + $4 = total THEN clock_timestamp() END
          WHERE id = $1 RETURNING ${BATCH_COLUMNS}`,
};

const REOPEN: Prepared = {
  name: 'batch_reopen',
  text: `UPDATE batches SET failed = failed - $2, canceled = canceled - $3, completed_at = NULL, canceled_at = NULL
          WHERE id = $1 RETURNING ${BATCH_COLUMNS}`,
};

/** Items of a batch that have just ended. */
export interface EndedItems {
  readonly completed?: number;
  /** Excludes canceled items. */
  readonly failed?: number;
  readonly canceled?: number;
}

/** Counts the ended items of batches, in the transactions that end them. */
@Injectable()
export class BatchCountersRepository {
  /** @returns the batch; `completedAt` is set when these were its last items */
  async count(tx: Queryable, batchId: string, ended: EndedItems): Promise<Batch> {
    const { completed = 0, failed = 0, canceled = 0 } = ended;
    const [batch] = await tx.query<Batch>(COUNT, [batchId, completed, failed, canceled]);
    return batch!;
  }

  /** Removes retried items from the counts. */
  async reopen(tx: Queryable, batchId: string, items: { failed: number; canceled: number }): Promise<Batch> {
    const [batch] = await tx.query<Batch>(REOPEN, [batchId, items.failed, items.canceled]);
    return batch!;
  }
}
