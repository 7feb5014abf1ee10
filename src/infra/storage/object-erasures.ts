import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../database/database.js';
import { ObjectStore } from './object-store.js';

const RECORD: Prepared = {
  name: 'object_erasures_record',
  text: 'INSERT INTO object_erasures (object_key) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING',
};

/** Postponed rows are at most ten minutes ahead. Those further ahead are from before the clock was set back. */
const NEXT: Prepared = {
  name: 'object_erasures_next',
  text: `SELECT object_key AS key FROM object_erasures
          WHERE created_at <= now() OR created_at > now() + interval '10 minutes'
          ORDER BY created_at, object_key LIMIT $1`,
};

const DONE: Prepared = {
  name: 'object_erasures_done',
  text: 'DELETE FROM object_erasures WHERE object_key = ANY ($1)',
};

/** An object that cannot be deleted keeps no other one waiting. */
const POSTPONE: Prepared = {
  name: 'object_erasures_postpone',
  text: `UPDATE object_erasures SET created_at = now() + interval '10 minutes' WHERE object_key = ANY ($1)`,
};

/** Postponed rows, up to a limit. */
const STUCK: Prepared = {
  name: 'object_erasures_stuck',
  text: `SELECT count(*)::int AS stuck FROM (
           SELECT FROM object_erasures
            WHERE created_at > now() AND created_at <= now() + interval '10 minutes' LIMIT 100000) AS postponed`,
};

const BATCH = 200;
/** After this many failures, it is checked again whether the store is available. */
const FAILURES_PER_CHECK = 5;
/** Empty, so that a full disk can hold it. */
const PROBE = Buffer.alloc(0);

/**
 * Deletes objects that are no longer needed. Their keys are recorded in the transaction that deletes or marks the rows,
 * so none is lost if a process is killed or the store is unavailable: the dispatcher deletes the rest.
 */
@Injectable()
export class ObjectErasures {
  private readonly logger = new Logger('erasures');
  /** One for each process: a store that refuses to delete it keeps only one. */
  private readonly probeKey = `probes/${randomUUID()}`;

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
   * Deletes up to `limit` pending objects; several processes may run it concurrently. Objects that cannot be deleted
   * although the store is available are logged, and due again ten minutes later.
   * @returns the number of deleted objects
   * @throws errors of a store that is unavailable, and of the database
   */
  async erase(limit: number): Promise<number> {
    let erased = 0;
    for (let tried = 0; tried < limit;) {
      const rows = await this.database.query<{ key: string }>(NEXT, [Math.min(BATCH, limit - tried)]);
      if (rows.length === 0) break;
      const { deleted, stuck, outage } = await this.deleteAll(rows.map(({ key }) => key));
      if (deleted.length > 0) await this.database.query(DONE, [deleted]);
      if (stuck.length > 0) await this.database.query(POSTPONE, [stuck]);
      if (outage !== undefined) throw outage.error;
      erased += deleted.length;
      tried += rows.length;
    }
    return erased;
  }

  /** The number of objects that could not be deleted although the store was available, at most 100,000. */
  async stuck(): Promise<number> {
    return (await this.database.query<{ stuck: number }>(STUCK))[0]!.stuck;
  }

  /** Ends early when the store is unavailable. */
  private async deleteAll(keys: readonly string[]): Promise<Deletions> {
    const deleted: string[] = [];
    const stuck: string[] = [];
    for (const key of keys) {
      try {
        await this.store.delete(key);
        deleted.push(key);
      } catch (error) {
        const isCheckDue = stuck.length % FAILURES_PER_CHECK === 0;
        if (isCheckDue && !(await this.isAvailable())) return { deleted, stuck, outage: { error } };
        stuck.push(key);
        this.logger.warn(
          { key, error: String(error) },
          'could not delete an object; trying again in ten minutes',
        );
      }
    }
    return { deleted, stuck };
  }

  /** Deletes an object of its own: a disk that is read-only does not refuse to delete a file that does not exist. */
  private async isAvailable(): Promise<boolean> {
    try {
      await this.store.put(this.probeKey, PROBE);
      await this.store.delete(this.probeKey);
      return true;
    } catch {
      return false;
    }
  }
}

interface Deletions {
  readonly deleted: readonly string[];
  /** Keys of objects that cannot be deleted. */
  readonly stuck: readonly string[];
  /** Set if the store is unavailable: the error that revealed it. */
  readonly outage?: { readonly error: unknown };
}
