import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Makes the trigger that counts usage by day find each job by its primary key, regardless of how large the tables were
 * when its session planned the query. PostgreSQL estimates a thousand rows for a statement that adds one, and a plan
 * for a table that was empty at its last `ANALYZE` reads the whole table: for each new job, until the next `ANALYZE`.
 */
export class UsageDayLookups1733858004000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ADD_USAGE_DAYS);
  }
}

const DAY = `(m.created_at AT TIME ZONE 'UTC')::date`;
const RESERVATION = `CROSS JOIN LATERAL (
                SELECT * FROM quota_ledger l WHERE l.job_id = f.job_id AND l.kind = 'reserve' LIMIT 1) r`;

/** The function of migration 1733790001000 with other joins: a subquery with a limit runs once for each row. */
const ADD_USAGE_DAYS = `CREATE OR REPLACE FUNCTION add_usage_days() RETURNS trigger
   LANGUAGE plpgsql SET enable_seqscan = off AS $$
   BEGIN
     IF NOT EXISTS (SELECT 1 FROM added WHERE kind <> 'commit') THEN RETURN NULL; END IF;
     IF EXISTS (SELECT 1 FROM added WHERE kind = 'refund') THEN
       -- A worker of an earlier version refunds one enhancement, whatever the job cost.
       UPDATE enhancement_usage u SET used = greatest(0, u.used - less.enhancements)
         FROM (SELECT f.account_id, f.period, sum(r.enhancements - f.enhancements)::int AS enhancements
                 FROM added f ${RESERVATION}
                WHERE f.kind = 'refund' AND f.enhancements < r.enhancements GROUP BY 1, 2) less
        WHERE u.account_id = less.account_id AND u.period = less.period;
     END IF;
     WITH moved AS MATERIALIZED (
       SELECT account_id, created_at, coalesce(key_id, '') AS key_id, job_id, enhancements, 1 AS sign
         FROM added WHERE kind = 'reserve'
       UNION ALL
       SELECT r.account_id, r.created_at, coalesce(r.key_id, ''), r.job_id, -r.enhancements, -1
         FROM added f ${RESERVATION} WHERE f.kind = 'refund'),
     by_key AS (
       INSERT INTO enhancement_days AS d (account_id, day, key_id, count)
       SELECT m.account_id, ${DAY}, m.key_id, sum(m.enhancements)::int FROM moved m GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
       ON CONFLICT (account_id, day, key_id) DO UPDATE SET count = d.count + excluded.count)
     INSERT INTO operation_days AS d (account_id, day, key_id, operation, count)
     SELECT m.account_id, ${DAY}, m.key_id, coalesce(step.operation, j.operation), sum(m.sign)::int
       FROM moved m CROSS JOIN LATERAL (SELECT operation, steps FROM jobs WHERE id = m.job_id LIMIT 1) j
       LEFT JOIN LATERAL (
         SELECT s->>'operation' AS operation FROM jsonb_array_elements(j.steps) s) step ON true
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
     ON CONFLICT (account_id, day, key_id, operation) DO UPDATE SET count = d.count + excluded.count;
     RETURN NULL;
   END $$`;
