import type { Prepared } from '../../infra/database/database.js';
import { isUnneededSource } from '../../jobs/queue/needed-source.sql.js';

/** Maximum rows that one statement examines and deletes. */
const BATCH = 500;

/** Whether the retention period has passed; `$3` has the days of each plan, 0 for unlimited. */
const isOver = (since: string): string =>
  `${since} < now() - nullif(($3::jsonb ->> a.plan)::int, 0) * interval '1 day'`;

/**
 * Examines the next rows by id, from `$1` to below `$2`, and deletes expired ones. Skips rows locked by another
 * dispatcher. Ids are passed as an array, and other tables are read only in subqueries with LIMIT 1, so that PostgreSQL
 * uses index lookups instead of a full scan. Counts in the same statement, so that a killed dispatcher leaves exact
 * figures.
 */
function batch(parts: {
  readonly kind: string;
  readonly table: string;
  readonly id: string;
  /** Which rows count toward the batch. Other rows are skipped one by one, so they must be few. */
  readonly part?: string;
  readonly old: string;
  readonly deletion: string;
}): Prepared {
  const { kind, table, id, part = 'true', old, deletion } = parts;
  return {
    name: `retention_${kind}`,
    text: `
      WITH part AS (
        SELECT ${id} AS id FROM ${table} WHERE ${id} > $1 AND ${id} < $2 AND ${part} ORDER BY ${id} LIMIT ${BATCH}),
      old AS (
        SELECT t.* FROM ${table} t JOIN accounts a ON a.id = t.account_id
         WHERE t.${id} = ANY (ARRAY(SELECT id FROM part)) AND ${old} FOR UPDATE OF t SKIP LOCKED),
      ${deletion},
      counted AS (
        INSERT INTO retention_counts AS c (kind, deleted, deleted_at)
        SELECT '${kind}', count(*), now() FROM gone HAVING count(*) > 0
        ON CONFLICT (kind) DO UPDATE SET deleted = c.deleted + excluded.deleted, deleted_at = now())
      SELECT (SELECT max(id) FROM part) AS "lastId", (SELECT count(*) FROM gone)::int AS deleted`,
  };
}

/** A job never expires before it has ended, and its result, or the source that a failed job erases, is deleted. */
export const OLD_JOBS = batch({
  kind: 'jobs',
  table: 'jobs',
  id: 'id',
  old: `t.status IN ('completed', 'failed') AND (t.result_erased_at IS NOT NULL OR t.result_key IS NULL AND t.result_expires_at IS NULL)
        AND ${isOver('t.completed_at')}`,
  deletion: 'gone AS (DELETE FROM jobs j USING old WHERE j.id = old.id RETURNING j.id)',
});

/** A batch is deleted after its last job. */
export const OLD_BATCHES = batch({
  kind: 'batches',
  table: 'batches',
  id: 'id',
  old: `t.completed_at IS NOT NULL AND ${isOver('t.completed_at')}
        AND (SELECT j.id FROM jobs j WHERE j.batch_id = t.id LIMIT 1) IS NULL`,
  deletion: 'gone AS (DELETE FROM batches b USING old WHERE b.id = old.id RETURNING b.id)',
});

/** Rows of deleted sources that no job refers to. Deleting them earlier would delete those jobs by cascade. */
export const DELETED_SOURCES = batch({
  kind: 'deleted_sources',
  table: 'sources',
  id: 'id',
  old: `t.deleted_at IS NOT NULL AND ${isOver('t.deleted_at')} AND (SELECT j.id FROM jobs j WHERE j.source_id = t.id LIMIT 1) IS NULL`,
  deletion: 'gone AS (DELETE FROM sources s USING old WHERE s.id = old.id RETURNING s.id)',
});

/**
 * Deletes sources as their owner would: marks the row, frees its bytes, and adds its objects to `object_erasures`.
 * Locks storage counters in a fixed order, so that two dispatchers cannot deadlock.
 */
export const OLD_SOURCES = batch({
  kind: 'sources',
  table: 'sources',
  id: 'id',
  old: `t.deleted_at IS NULL AND ${isOver('t.created_at')} AND ${isUnneededSource('t')}`,
  deletion: `
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
        SELECT object_key FROM gone UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM gone ON CONFLICT DO NOTHING)`,
});

/** Adds both ledger rows of settled jobs to the month's sums. Unsettled jobs are kept. */
export const OLD_LEDGER = batch({
  kind: 'ledger',
  table: 'quota_ledger',
  id: 'job_id',
  part: `kind = 'reserve'`,
  old: `t.kind = 'reserve' AND ${isOver('t.created_at')}
        AND (SELECT s.job_id FROM quota_ledger s
              WHERE s.job_id = t.job_id AND s.kind IN ('commit', 'refund') LIMIT 1) IS NOT NULL
        AND (SELECT j.id FROM jobs j WHERE j.id = t.job_id AND j.status IN ('queued', 'processing') LIMIT 1) IS NULL`,
  deletion: `
      gone AS (
        DELETE FROM quota_ledger l USING old WHERE l.job_id = old.job_id
        RETURNING l.job_id AS id, l.account_id, l.period, l.kind, l.enhancements),
      sums AS (
        INSERT INTO quota_ledger_sums AS s (account_id, period, kind, count)
        SELECT account_id, period, kind, sum(enhancements) FROM gone GROUP BY account_id, period, kind
         ORDER BY account_id, period, kind
        ON CONFLICT (account_id, period, kind) DO UPDATE SET count = s.count + excluded.count)`,
});

/**
 * Deletes deliveries that have ended, and pending ones that no dispatcher took for as long. A pending one may be this
 * old if its schedule is long or it was redelivered. Attempts are deleted with their delivery.
 */
export const OLD_DELIVERIES = batch({
  kind: 'deliveries',
  table: 'webhook_deliveries',
  id: 'id',
  old: `${isOver('t.created_at')} AND (t.status <> 'pending' OR ${isOver('t.due_at')})`,
  deletion: 'gone AS (DELETE FROM webhook_deliveries d USING old WHERE d.id = old.id RETURNING d.id)',
});

/** Deletes events whether dispatched or not, because they are too old to matter. Their deliveries cascade. */
export const OLD_EVENTS = batch({
  kind: 'events',
  table: 'events',
  id: 'id',
  old: `${isOver('t.created_at')} AND (SELECT d.id FROM webhook_deliveries d WHERE d.event_id = t.id LIMIT 1) IS NULL`,
  deletion: 'gone AS (DELETE FROM events e USING old WHERE e.id = old.id RETURNING e.id)',
});
