import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';
import { WORKER_GONE_MS } from '../../models/serving/model-workers.repository.js';
import { TURN_PRICE } from '../queue/fair-queue.repository.js';
import { AVERAGE_RATE, laterSteps, SECONDS_PER_JOB } from '../queue/queue-work.repository.js';

const SECONDS = 'source_pixels * coalesce(r.seconds / nullif(r.pixels, 0), average.seconds)';

const IS_LIVE = `NOT ${isTestAccountSql('account_id')}`;

/**
 * Work of each account, without test jobs: what waits, and what is left of the jobs that run. Batches are separate from
 * single jobs, because they have a queue of their own.
 */
const WORK: Prepared = {
  name: 'forecast_work',
  text: `WITH average AS (${AVERAGE_RATE}),
           work AS (
             SELECT account_id, batch_id, ${TURN_PRICE} AS price, ${SECONDS} + ${SECONDS_PER_JOB} AS seconds, 0 AS running
               FROM jobs CROSS JOIN average LEFT JOIN work_rates r USING (operation, level) WHERE status = 'queued' AND ${IS_LIVE}
             UNION ALL
             SELECT account_id, batch_id, 0, 0, (${SECONDS} + ${SECONDS_PER_JOB}) * (1 - progress)
               FROM jobs CROSS JOIN average LEFT JOIN work_rates r USING (operation, level) WHERE status = 'processing' AND ${IS_LIVE}
             UNION ALL
             SELECT account_id, batch_id, 0, ${SECONDS}, 0
               FROM (${laterSteps('queued')}) q CROSS JOIN average LEFT JOIN work_rates r USING (operation, level)
             UNION ALL
             SELECT account_id, batch_id, 0, 0, ${SECONDS} * (1 - progress)
               FROM (${laterSteps('processing')}) p CROSS JOIN average LEFT JOIN work_rates r USING (operation, level))
         SELECT account_id AS "accountId", batch_id IS NOT NULL AS "isBatch", sum(price)::float8 AS price,
                sum(seconds)::float8 AS "waitingSeconds", sum(running)::float8 AS "runningSeconds"
           FROM work GROUP BY account_id, batch_id IS NOT NULL`,
};

const SPEED: Prepared = {
  name: 'forecast_speed',
  text: `SELECT (SELECT count(*) FROM model_workers
                  WHERE state = 'serving' AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds')::int AS workers,
                average.seconds::float8 AS "secondsPerPixel",
                (SELECT coalesce(json_object_agg(operation || '/' || level, seconds / pixels), '{}')
                   FROM work_rates WHERE pixels > 0) AS rates
           FROM (${AVERAGE_RATE}) average`,
};

/** Unfinished work of one account, of its single jobs or of its batches. */
export interface AccountWork {
  readonly accountId: string;
  readonly isBatch: boolean;
  /** What its waiting jobs cost in the fair queue, in pixels. */
  readonly price: number;
  /** Seconds of one worker for its waiting jobs. */
  readonly waitingSeconds: number;
  /** Seconds of one worker until its running jobs have ended. */
  readonly runningSeconds: number;
}

/** How fast jobs are done. */
export interface Speed {
  /** Workers that are serving. */
  readonly workers: number;
  /** Seconds of one worker per source pixel, on average. */
  readonly secondsPerPixel: number;
  /** The same by `operation/level`. */
  readonly rates: Readonly<Record<string, number>>;
}

/** Reads what an estimate needs. Not limited to an account. */
@Injectable()
export class QueueForecastRepository {
  constructor(private readonly database: Database) {}

  async work(): Promise<readonly AccountWork[]> {
    return this.database.query<AccountWork>(WORK);
  }

  async speed(): Promise<Speed> {
    const [row] = await this.database.query<Speed>(SPEED);
    return row!;
  }
}
