import type { Prepared } from '../../infra/database/database.js';
import { isUnneededSource } from '../../jobs/queue/needed-source.sql.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';

/** Maximum rows that one statement deletes. */
export const TEST_MODE_BATCH = 500;

/** The oldest rows of every account's test mode, up to an id (`$1`). Needs one index lookup per account. */
const oldest = (table: string, old: string): string => `
  old AS (
    SELECT found.id FROM accounts a CROSS JOIN LATERAL (
      SELECT t.id FROM ${table} t WHERE t.account_id = a.id AND t.id < $1 AND ${old}
       ORDER BY t.id LIMIT ${TEST_MODE_BATCH} FOR UPDATE SKIP LOCKED) found
     WHERE ${isTestAccountSql('a.id')} LIMIT ${TEST_MODE_BATCH})`;

const COUNT = 'SELECT count(*)::int AS deleted FROM gone';

/** Deletes uploads as their owner would, once no unfinished job and no preset needs them. */
export const OLD_TEST_SOURCES: Prepared = {
  name: 'retention_test_sources',
  text: `
    WITH ${oldest('sources', `t.deleted_at IS NULL AND ${isUnneededSource('t')}`)},
    gone AS (
      UPDATE sources s SET deleted_at = now(), name = NULL FROM old WHERE s.id = old.id
      RETURNING s.id, s.account_id, s.object_key, s.bytes),
    freed AS (SELECT account_id, sum(bytes) AS bytes FROM gone GROUP BY account_id),
    counters AS (
      SELECT u.account_id FROM storage_usage u WHERE u.account_id IN (SELECT account_id FROM freed)
       ORDER BY u.account_id FOR UPDATE),
    storage AS (
      UPDATE storage_usage u SET used_bytes = greatest(0, u.used_bytes - freed.bytes)
        FROM freed JOIN counters USING (account_id) WHERE u.account_id = freed.account_id),
    objects AS (
      INSERT INTO object_erasures (object_key)
      SELECT object_key FROM gone UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM gone ON CONFLICT DO NOTHING)
    ${COUNT}`,
};

/** Deletes finished jobs whose result is erased. */
const oldJobs = (name: string, which: string): Prepared => ({
  name,
  text: `
    WITH ${oldest('jobs', `${which} AND t.status IN ('completed', 'failed') AND (t.result_key IS NULL OR t.result_erased_at IS NOT NULL)`)},
    gone AS (DELETE FROM jobs j USING old WHERE j.id = old.id RETURNING j.id)
    ${COUNT}`,
});

export const OLD_TEST_JOBS = oldJobs('retention_test_jobs', 't.deleted_at IS NULL');

/** Those that their owner deleted, which another index finds. */
export const DELETED_TEST_JOBS = oldJobs('retention_deleted_test_jobs', 't.deleted_at IS NOT NULL');
