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

const BATCH = 200;

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

  /** Deletes about `limit` pending objects; several processes may run it concurrently. */
  async erase(limit: number): Promise<number> {
    let erased = 0;
    while (erased < limit) {
      const rows = await this.database.query<{ key: string }>(NEXT, [Math.min(BATCH, limit - erased)]);
      if (rows.length === 0) break;
      const keys = rows.map(({ key }) => key);
      await this.eraseThese(keys);
      erased += keys.length;
    }
    return erased;
  }
}
