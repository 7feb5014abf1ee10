import { WORKER_GONE_MS } from '../../models/serving/model-workers.repository.js';
import { JOB_KIND } from './job-kind.sql.js';

/**
 * CTEs `pool` and `place` for new jobs of one kind. The clock is shared by all kinds of jobs, and workers that
 * serve few kinds may move it far ahead. Start times are therefore counted from the first job that waits in
 * the pool of the new jobs: their kind, and the kinds of all workers that can run it. The difference (`lag`) is
 * subtracted again for later jobs of the account.
 * @param kind a parameter, see `workKind`
 */
export const turnPlace = (kind: string): string => `
    pool AS (
      SELECT ${kind}::text AS kind
      UNION SELECT unnest(kinds) FROM model_workers
             WHERE ${kind}::text = ANY (kinds) AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds'),
    place AS (
      SELECT clock.turn AS clock, clock.turn - least(clock.turn, (
               SELECT min(first.turn) FROM pool CROSS JOIN LATERAL (
                 SELECT turn FROM jobs WHERE status = 'queued' AND deleted_at IS NULL AND ${JOB_KIND} = pool.kind
                  ORDER BY turn, id LIMIT 1) first)) AS lag
        FROM job_clock clock)`;
