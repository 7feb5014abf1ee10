import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../database/database.js';
import { ObjectStore } from './object-store.js';

const RECORD: Prepared = {
  name: 'object_erasures_record',
  text: 'INSERT INTO object_erasures (object_key) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING',
};

const NEXT: Prepared = {
  name: 'object_erasures_next',
  text: 'SELECT object_key AS key FROM object_erasures ORDER BY created_at, object_key LIMIT $1',
};

const DONE: Prepared = {
  name: 'object_erasures_done',
  text: 'DELETE FROM object_erasures WHERE object_key = ANY ($1)',
};

/** Behind the others, so that an object that cannot be deleted keeps none of them waiting. */
const POSTPONE: Prepared = {
  name: 'object_erasures_postpone',
  text: 'UPDATE object_erasures SET created_at = now() WHERE object_key = ANY ($1)',
};

const BATCH = 200;
/** A store that fails this often in a batch is probably unavailable. */
const MAX_FAILURES = 5;

/**
 * Deletes objects that are no longer needed. Their keys are recorded in the transaction that deletes or marks the rows,
 * so none is lost if a process is killed or the store is unavailable: the dispatcher deletes the rest.
 */
@Injectable()
export class ObjectErasures {
  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
  ) {}

  async record(tx: Queryable, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await tx.query(RECORD, [keys]);
  }

  /** Deletes recorded objects once their transaction has committed. @throws errors of the store and the database */
  async eraseThese(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.store.delete(key);
    if (keys.length > 0) await this.database.query(DONE, [keys]);
  }

  /**
   * Deletes about `limit` pending objects; several processes may run it concurrently.
   * @throws errors of the store, after it has deleted what it could, and of the database
   */
  async erase(limit: number): Promise<number> {
    let erased = 0;
    while (erased < limit) {
      const rows = await this.database.query<{ key: string }>(NEXT, [Math.min(BATCH, limit - erased)]);
      if (rows.length === 0) break;
      const { deleted, failed, fault } = await this.deleteAll(rows.map(({ key }) => key));
      if (deleted.length > 0) await this.database.query(DONE, [deleted]);
      if (failed.length > 0) await this.database.query(POSTPONE, [failed]);
      if (failed.length === MAX_FAILURES || deleted.length === 0) throw fault;
      erased += deleted.length;
    }
    return erased;
  }

  /** Ends early when the store seems to be unavailable. */
  private async deleteAll(
    keys: readonly string[],
  ): Promise<{ deleted: readonly string[]; failed: readonly string[]; fault: unknown }> {
    const deleted: string[] = [];
    const failed: string[] = [];
    let fault: unknown;
    for (const key of keys) {
      if (failed.length === MAX_FAILURES) break;
      try {
        await this.store.delete(key);
        deleted.push(key);
      } catch (error) {
        failed.push(key);
        fault = error;
      }
    }
    return { deleted, failed, fault };
  }
}
