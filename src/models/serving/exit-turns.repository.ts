import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { IS_ALIVE, SET_STATE } from './model-workers.repository.js';

/** Share of the workers that must be serving while others are being replaced; a Deployment keeps the same share. */
const SERVING_SHARE = 0.75;

/** Two workers that count at the same time would both leave. */
const LOCK: Prepared = {
  name: 'exit_turn_lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('worker exits', 0))`,
};

/** Workers that run at least one kind of job of this one. An older worker (`{}`) is assumed to run everything. */
const COUNT: Prepared = {
  name: 'exit_turn_count',
  text: `SELECT count(*) FILTER (WHERE w.id <> me.id AND w.state = 'serving')::integer AS others,
                count(*) FILTER (WHERE w.id = me.id OR w.wanted = 'serve')::integer AS fleet,
                coalesce(bool_or(w.id = me.id AND w.state = 'serving'), false) AS "isServing"
           FROM (SELECT $1::text AS id, $2::text[] AS kinds) me
           JOIN model_workers w ON w.id = me.id OR (${IS_ALIVE} AND (w.kinds = '{}' OR w.kinds && me.kinds))`,
};

interface Count extends Record<string, unknown> {
  /** Other workers that take jobs. */
  readonly others: number;
  /** All workers that operators want to serve, including this one and those that are being replaced. */
  readonly fleet: number;
  /** Whether this worker takes jobs. */
  readonly isServing: boolean;
}

/** The result of a request to leave. */
export interface ExitTurn {
  /** Whether the worker may exit. It is then recorded as draining. */
  readonly mayExit: boolean;
  /** The number of workers, to be passed to the next request. */
  readonly fleet: number;
}

/** Lets workers that exit for new models leave a few at a time. */
@Injectable()
export class ExitTurnsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records the worker as draining if enough others serve. A worker that serves nothing, and the only one, may always
   * exit.
   * @param kinds the kinds of jobs that it runs
   * @param fleet the number of workers when it first requested to leave; default: the current number
   * @throws database errors
   */
  async request(id: string, kinds: readonly string[], fleet?: number): Promise<ExitTurn> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      const [count] = await tx.query<Count>(COUNT, [id, kinds]);
      const { others = 0, fleet: current = 1, isServing = false } = count ?? {};
      const known = fleet ?? current;
      const mayExit = !isServing || others >= Math.floor(known * SERVING_SHARE);
      if (mayExit) await tx.query(SET_STATE, [id, 'draining']);
      return { mayExit, fleet: known };
    });
  }
}
