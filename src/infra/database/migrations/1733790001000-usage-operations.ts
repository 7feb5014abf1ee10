import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Usage by day, key and operation; see docs/decisions/0336-usage-by-operation.md. One trigger adds the sums for a whole
 * statement instead of for each row.
 */
export class UsageOperations1733790001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const DAY = `(m.created_at AT TIME ZONE 'UTC')::date`;

const UP = [
  `CREATE TABLE operation_days (
     account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
     -- UTC
     day date NOT NULL,
     -- Empty for the dashboard, as in enhancement_days.
     key_id text NOT NULL,
     operation text NOT NULL,
     count integer NOT NULL,
     PRIMARY KEY (account_id, day, key_id, operation)
   ) WITH (fillfactor = 50)`,
  `CREATE INDEX operation_days_day ON operation_days (day)`,
  // Every step of a job costs one enhancement. A refund subtracts what the reservation counted, on the day of the
  // reservation.
  `CREATE FUNCTION add_usage_days() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF NOT EXISTS (SELECT 1 FROM added WHERE kind <> 'commit') THEN RETURN NULL; END IF;
     IF EXISTS (SELECT 1 FROM added WHERE kind = 'refund') THEN
       -- A worker of an earlier version refunds one enhancement, whatever the job cost.
       UPDATE enhancement_usage u SET used = greatest(0, u.used - less.enhancements)
         FROM (SELECT f.account_id, f.period, sum(r.enhancements - f.enhancements)::int AS enhancements
                 FROM added f JOIN quota_ledger r ON r.job_id = f.job_id AND r.kind = 'reserve'
                WHERE f.kind = 'refund' AND f.enhancements < r.enhancements GROUP BY 1, 2) less
        WHERE u.account_id = less.account_id AND u.period = less.period;
     END IF;
     WITH moved AS MATERIALIZED (
       SELECT account_id, created_at, coalesce(key_id, '') AS key_id, job_id, enhancements, 1 AS sign
         FROM added WHERE kind = 'reserve'
       UNION ALL
       SELECT r.account_id, r.created_at, coalesce(r.key_id, ''), r.job_id, -r.enhancements, -1
         FROM added f JOIN quota_ledger r ON r.job_id = f.job_id AND r.kind = 'reserve' WHERE f.kind = 'refund'),
     by_key AS (
       INSERT INTO enhancement_days AS d (account_id, day, key_id, count)
       SELECT m.account_id, ${DAY}, m.key_id, sum(m.enhancements)::int FROM moved m GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
       ON CONFLICT (account_id, day, key_id) DO UPDATE SET count = d.count + excluded.count)
     INSERT INTO operation_days AS d (account_id, day, key_id, operation, count)
     SELECT m.account_id, ${DAY}, m.key_id, coalesce(step.operation, j.operation), sum(m.sign)::int
       FROM moved m JOIN jobs j ON j.id = m.job_id
       LEFT JOIN LATERAL (
         SELECT s->>'operation' AS operation FROM jsonb_array_elements(j.steps) s) step ON true
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
     ON CONFLICT (account_id, day, key_id, operation) DO UPDATE SET count = d.count + excluded.count;
     RETURN NULL;
   END $$`,
  // Not deferred: every statement that writes the ledger also locks the account's counter of the month.
  `DROP TRIGGER ledger_days ON quota_ledger`,
  `CREATE TRIGGER ledger_days AFTER INSERT ON quota_ledger REFERENCING NEW TABLE AS added
     FOR EACH STATEMENT EXECUTE FUNCTION add_usage_days()`,
  // The next migration adds the usage from before this moment, without holding a lock on these tables.
  `CREATE TABLE usage_operations_start (at timestamptz NOT NULL)`,
  `INSERT INTO usage_operations_start VALUES (clock_timestamp())`,
];
