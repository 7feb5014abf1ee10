import { WORKER_GONE_MS } from '../../models/serving/model-workers.repository.js';
import { JOB_KIND, requiredKinds } from './job-kind.sql.js';

/**
 * CTEs `pool` and `place` for new jobs of one kind. The clock is shared by all kinds of jobs, and workers that serve
 * few kinds may move it far ahead. Start times are therefore counted from the first job that waits in the pool of the
 * new jobs: their kind, and the kinds of all workers that can run it, even in several steps. The difference (`lag`)
 * is subtracted again for later jobs of the account.
 * The clock has one row. Without `LIMIT 1`, PostgreSQL expects hundreds and plans the statement every time.
 * @param kind a parameter, see `workKind`
 */
export const turnPlace = (kind: string): string => `
    pool AS (
      SELECT ${kind}::text AS kind
      UNION SELECT unnest(kinds) FROM model_workers
             WHERE ${requiredKinds(`${kind}::text`)} <@ kinds AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds'),
    place AS (
      SELECT clock.turn AS clock, clock.turn - least(clock.turn, (
               SELECT min(first.turn) FROM pool CROSS JOIN LATERAL (
                 SELECT turn FROM jobs WHERE status = 'queued' AND deleted_at IS NULL AND ${JOB_KIND} = pool.kind
                  ORDER BY turn, id LIMIT 1) first), (
               SELECT turn FROM jobs
                WHERE status = 'queued' AND steps IS NOT NULL
                  AND ${requiredKinds(JOB_KIND)} <@ ARRAY(SELECT kind FROM pool) ORDER BY turn LIMIT 1)) AS lag
        FROM job_clock clock LIMIT 1)`;
