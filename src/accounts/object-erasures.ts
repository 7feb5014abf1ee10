import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';
import { ObjectStore } from '../infra/storage/object-store.js';

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
 * Deletes the objects of deleted accounts. Their keys are recorded in the transaction that deletes the rows, so none is
 * lost if a process is killed or the store is unavailable: the dispatcher deletes the rest.
 */
@Injectable()
export class ObjectErasures {
  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
  ) {}

  /** Deletes about `limit` pending objects; several processes may run it concurrently. */
  async erase(limit: number): Promise<number> {
    let erased = 0;
    while (erased < limit) {
      const rows = await this.database.query<{ key: string }>(NEXT, [Math.min(BATCH, limit - erased)]);
      if (rows.length === 0) break;
      const keys = rows.map(({ key }) => key);
      for (const key of keys) await this.store.delete(key);
      await this.database.query(DONE, [keys]);
      erased += keys.length;
    }
    return erased;
  }
}
