import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { type FleetWorker, mayExit } from './exit-turn.js';
import { IS_ALIVE, SET_STATE } from './model-workers.repository.js';

/** Two workers that count at the same time would both leave. */
const LOCK: Prepared = {
  name: 'exit_turn_lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('worker exits', 0))`,
};

const FLEET: Prepared = {
  name: 'exit_turn_fleet',
  text: `SELECT id, kinds, state, ${IS_ALIVE} AS alive, started_at AS "startedAt",
                CASE WHEN wanted = 'serve' AND left_at > now() - make_interval(secs => $2::float8 / 1000)
                     THEN left_at END AS "leftAt"
           FROM model_workers
          WHERE id = $1 OR ${IS_ALIVE} OR left_at > now() - make_interval(secs => $2::float8 / 1000)`,
};

/** Lets workers that exit for new models leave a few at a time. */
@Injectable()
export class ExitTurnsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records the worker as draining if it may exit; see `mayExit`.
   * @param returnMs how long a worker that left may take until its successor serves
   * @returns whether it may exit
   * @throws database errors
   */
  async request(id: string, returnMs: number): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK);
      const fleet = await tx.query<FleetWorker>(FLEET, [id, returnMs]);
      if (!mayExit(id, fleet)) return false;
      await tx.query(SET_STATE, [id, 'draining']);
      return true;
    });
  }
}
