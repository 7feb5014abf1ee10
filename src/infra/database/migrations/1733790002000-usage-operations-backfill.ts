import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Adds the usage from before the previous migration. Reads without locks, then writes quickly. */
export class UsageOperationsBackfill1733790002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  `CREATE TEMPORARY TABLE old_operations ON COMMIT DROP AS
     SELECT r.account_id, (r.created_at AT TIME ZONE 'UTC')::date AS day, coalesce(r.key_id, '') AS key_id,
            coalesce(step.operation, j.operation) AS operation, count(*)::int AS count
       FROM quota_ledger r
       JOIN jobs j ON j.id = r.job_id
       LEFT JOIN LATERAL (SELECT s->>'operation' AS operation FROM jsonb_array_elements(j.steps) s) step ON true
       LEFT JOIN quota_ledger f ON f.job_id = r.job_id AND f.kind = 'refund'
                               AND f.created_at < (SELECT at FROM usage_operations_start)
      WHERE r.kind = 'reserve' AND r.created_at < (SELECT at FROM usage_operations_start) AND f.job_id IS NULL
      GROUP BY 1, 2, 3, 4`,
  `INSERT INTO operation_days AS d (account_id, day, key_id, operation, count)
     SELECT o.account_id, o.day, o.key_id, o.operation, o.count
       FROM old_operations o JOIN accounts a ON a.id = o.account_id
     ON CONFLICT (account_id, day, key_id, operation) DO UPDATE SET count = d.count + excluded.count`,
  `DROP TABLE usage_operations_start`,
];
