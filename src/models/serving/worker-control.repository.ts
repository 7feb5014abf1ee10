import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { storable } from '../../kernel/storable-text.js';
import { IS_ALIVE } from './model-workers.repository.js';
import type { Wanted } from './wanted.js';

/** Notifies the worker in the payload that an operator requested another state. */
export const WORKER_WANTED = 'worker_wanted';
/** Notifies the worker in the payload that an operator requested its log lines. */
export const WORKER_LOG_WANTED = 'worker_log_wanted';

/** A requested restart cannot be withdrawn. */
const WANT: Prepared = {
  name: 'worker_want',
  text: `WITH target AS (SELECT id, wanted, ${IS_ALIVE} AS alive FROM model_workers WHERE id = $1 FOR UPDATE),
         written AS (
           UPDATE model_workers w SET wanted = $2, wanted_at = now() FROM target t
            WHERE w.id = t.id AND t.alive AND t.wanted <> $2 AND t.wanted <> 'restart' RETURNING w.id),
         told AS (SELECT pg_notify('${WORKER_WANTED}', id) FROM written)
         SELECT t.alive, (SELECT count(*) FROM told) > 0 AS changed FROM target t`,
};

const WANTED_OF: Prepared = {
  name: 'worker_wanted_of',
  text: 'SELECT wanted FROM model_workers WHERE id = $1',
};

const ASK_LOG: Prepared = {
  name: 'worker_ask_log',
  text: `SELECT ${IS_ALIVE} AS alive, clock_timestamp() AS at,
                CASE WHEN ${IS_ALIVE} THEN pg_notify('${WORKER_LOG_WANTED}', id) END
           FROM model_workers WHERE id = $1`,
};

const SEND_LOG: Prepared = {
  name: 'worker_send_log',
  text: `INSERT INTO worker_logs AS l (worker_id, lines, sent_at)
         SELECT id, $2::jsonb, clock_timestamp() FROM model_workers WHERE id = $1
         ON CONFLICT (worker_id) DO UPDATE SET lines = excluded.lines, sent_at = excluded.sent_at`,
};

const READ_LOG: Prepared = {
  name: 'worker_read_log',
  text: `SELECT lines, sent_at AS "sentAt" FROM worker_logs WHERE worker_id = $1`,
};

/** The last log lines of a worker, oldest first. */
export interface SentLog {
  readonly lines: readonly string[];
  readonly sentAt: Date;
}

/** Requests of operators to single workers, and the responses. */
@Injectable()
export class WorkerControlRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records the state requested of a worker, and notifies it when the transaction commits. A worker that missed the
   * notification complies with its next heartbeat.
   * @returns undefined for an unknown worker; `changed` is false when it was already requested, or the worker is dead
   */
  async want(
    tx: Queryable,
    id: string,
    wanted: Wanted,
  ): Promise<{ readonly alive: boolean; readonly changed: boolean } | undefined> {
    const [row] = await tx.query<{ alive: boolean; changed: boolean }>(WANT, [id, wanted]);
    return row;
  }

  /** Undefined for an unknown worker. */
  async wantedOf(id: string): Promise<Wanted | undefined> {
    const [row] = await this.database.query<{ wanted: Wanted }>(WANTED_OF, [id]);
    return row?.wanted;
  }

  /**
   * Requests the log lines of a worker.
   * @returns undefined for an unknown worker; everything that the worker sends afterward is newer than `at`
   */
  async askForLog(id: string): Promise<{ readonly alive: boolean; readonly at: Date } | undefined> {
    const [row] = await this.database.query<{ alive: boolean; at: Date }>(ASK_LOG, [id]);
    return row;
  }

  async sendLog(id: string, lines: readonly string[]): Promise<void> {
    await this.database.query(SEND_LOG, [id, JSON.stringify(lines.map(storable))]);
  }

  /** Undefined when the worker has never sent any. */
  async readLog(id: string): Promise<SentLog | undefined> {
    const [row] = await this.database.query<SentLog>(READ_LOG, [id]);
    return row;
  }
}
