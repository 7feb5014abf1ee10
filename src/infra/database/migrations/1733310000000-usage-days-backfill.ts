import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Adds the usage from before the triggers of the previous migration existed. Reads without locks, then writes quickly.
 */
export class UsageDaysBackfill1733310000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const DAY = (column: string): string => `(${column} AT TIME ZONE 'UTC')::date`;

const UP = [
  `CREATE TEMPORARY TABLE old_enhancements ON COMMIT DROP AS
     SELECT r.account_id, ${DAY('r.created_at')} AS day, coalesce(r.key_id, '') AS key_id, count(*)::int AS count
       FROM quota_ledger r
       LEFT JOIN quota_ledger f ON f.job_id = r.job_id AND f.kind = 'refund'
                               AND f.created_at < (SELECT at FROM usage_days_start)
      WHERE r.kind = 'reserve' AND r.created_at < (SELECT at FROM usage_days_start) AND f.job_id IS NULL
      GROUP BY 1, 2, 3`,
  `CREATE TEMPORARY TABLE old_storage ON COMMIT DROP AS
     SELECT account_id, ${DAY('at')} AS day, sum(bytes)::bigint AS bytes FROM (
       SELECT account_id, created_at AS at, bytes FROM sources
       UNION ALL SELECT account_id, deleted_at, -bytes FROM sources WHERE deleted_at IS NOT NULL
       UNION ALL SELECT account_id, completed_at, result_bytes FROM jobs WHERE result_key IS NOT NULL
       UNION ALL SELECT account_id, result_erased_at, -result_bytes FROM jobs
         WHERE result_key IS NOT NULL AND result_erased_at IS NOT NULL) moved
      WHERE at < (SELECT at FROM usage_days_start) GROUP BY 1, 2`,
  `INSERT INTO enhancement_days AS d (account_id, day, key_id, count)
     SELECT o.account_id, o.day, o.key_id, o.count FROM old_enhancements o JOIN accounts a ON a.id = o.account_id
     ON CONFLICT (account_id, day, key_id) DO UPDATE SET count = d.count + excluded.count`,
  `INSERT INTO storage_days AS d (account_id, day, bytes)
     SELECT o.account_id, o.day, o.bytes FROM old_storage o JOIN accounts a ON a.id = o.account_id
     ON CONFLICT (account_id, day) DO UPDATE SET bytes = d.bytes + excluded.bytes`,
  `DROP TABLE usage_days_start`,
];
