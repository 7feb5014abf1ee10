import type { Prepared } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';
import { WORKER_GONE_MS } from '../../models/serving/model-workers.repository.js';
import { LATENCY_BUCKETS, latencyBucketSql } from './latency-buckets.js';

/** Counts stop here, so that a sample stays cheap when the backlog is large. */
const MAX_COUNTED = 100_000;

/** Milliseconds from the request to the result of a job. */
export const JOB_MS = 'extract(epoch FROM j.completed_at - j.created_at) * 1000';

/** A job that ended without a result and was not canceled. */
export const IS_FAILED = `j.status = 'failed' AND j.error_code <> 'canceled'`;

const IS_WAITING = `j.status = 'queued' AND NOT ${isTestAccountSql('j.account_id')}`;

const ENDED = `
  SELECT j.status, j.error_code, ${IS_FAILED} AS failed, ${latencyBucketSql(JOB_MS)} AS bucket
    FROM jobs j, minute
   WHERE j.completed_at >= minute.at AND j.completed_at < minute.at + interval '1 minute'
     AND NOT ${isTestAccountSql('j.account_id')}`;

/** The newest report of each GPU. */
const GPUS = `
  SELECT DISTINCT ON (w.host, g->>'gpu') (g->>'utilization')::real AS utilization,
         (g->>'memoryUsedBytes')::float8 AS memory
    FROM model_workers w CROSS JOIN LATERAL jsonb_array_elements(w.load->'gpus') g
   WHERE w.seen_at > now() - interval '${WORKER_GONE_MS} milliseconds'
   ORDER BY w.host, g->>'gpu', w.seen_at DESC`;

/** Stores the minute that ended last, once. Queue, workers and backlog are the current ones. */
export const RECORD: Prepared = {
  name: 'load_record',
  text: `
    WITH minute AS (
      SELECT m.at FROM (SELECT date_trunc('minute', now()) - interval '1 minute' AS at) m
       WHERE NOT EXISTS (SELECT FROM load_samples s WHERE s.resolution = 60 AND s.at = m.at)),
    ended AS MATERIALIZED (${ENDED}),
    gpus AS (${GPUS})
    INSERT INTO load_samples (resolution, at, jobs, failed, latencies, queued, oldest_wait_seconds, workers,
                              gpu_utilization, gpu_memory_bytes, deliveries_due)
    SELECT 60, minute.at, (SELECT count(*) FROM ended), (SELECT count(*) FROM ended WHERE failed),
           coalesce((SELECT array_agg(coalesce(n, 0) ORDER BY b)
                       FROM generate_series(0, ${LATENCY_BUCKETS - 1}) b
                       LEFT JOIN (SELECT bucket, count(*)::int AS n FROM ended WHERE status = 'completed'
                                   GROUP BY bucket) c ON c.bucket = b
                      WHERE EXISTS (SELECT FROM ended WHERE status = 'completed')), '{}'),
           (SELECT count(*) FROM (SELECT FROM jobs j WHERE ${IS_WAITING} LIMIT ${MAX_COUNTED}) q),
           coalesce((SELECT greatest(0, extract(epoch FROM now() - min(j.created_at))) FROM jobs j
                      WHERE ${IS_WAITING}), 0),
           (SELECT count(*) FROM model_workers
             WHERE state = 'serving' AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds'),
           (SELECT avg(utilization) FROM gpus), (SELECT sum(memory)::bigint FROM gpus),
           (SELECT count(*) FROM (SELECT FROM webhook_deliveries
                                   WHERE status = 'pending' AND due_at <= now() LIMIT ${MAX_COUNTED}) d)
      FROM minute
    ON CONFLICT DO NOTHING
    RETURNING at`,
};

/**
 * Sums every complete period of `$1` seconds that is not stored yet, from samples of `$2` seconds. Queue lengths are
 * peaks. `$3`: how many seconds to look back.
 */
export const ROLL_UP: Prepared = {
  name: 'load_roll_up',
  text: `
    WITH span AS (SELECT $1::int * interval '1 second' AS length),
    fine AS (
      SELECT date_bin(span.length, s.at, 'epoch') AS period, s.* FROM load_samples s, span
       WHERE s.resolution = $2::int
         AND s.at >= date_bin(span.length, now() - $3::int * interval '1 second', 'epoch')
         AND s.at < date_bin(span.length, now(), 'epoch')),
    missing AS (
      SELECT * FROM fine f
       WHERE NOT EXISTS (SELECT FROM load_samples c WHERE c.resolution = $1::int AND c.at = f.period)),
    latencies AS (
      SELECT period, array_agg(n ORDER BY bucket) AS latencies
        FROM (SELECT m.period, u.bucket, sum(u.n)::int AS n
                FROM missing m CROSS JOIN LATERAL unnest(m.latencies) WITH ORDINALITY AS u (n, bucket)
               GROUP BY m.period, u.bucket) summed
       GROUP BY period)
    INSERT INTO load_samples (resolution, at, jobs, failed, latencies, queued, oldest_wait_seconds, workers,
                              gpu_utilization, gpu_memory_bytes, deliveries_due)
    SELECT $1::int, m.period, sum(m.jobs), sum(m.failed),
           coalesce((SELECT l.latencies FROM latencies l WHERE l.period = m.period), '{}'),
           max(m.queued), max(m.oldest_wait_seconds), round(avg(m.workers)), avg(m.gpu_utilization),
           max(m.gpu_memory_bytes), max(m.deliveries_due)
      FROM missing m GROUP BY m.period
    ON CONFLICT DO NOTHING`,
};

/** Deletes samples of `$1` seconds that are older than `$2` seconds. */
export const PRUNE: Prepared = {
  name: 'load_prune',
  text: `DELETE FROM load_samples WHERE resolution = $1::int AND at < now() - $2::int * interval '1 second'`,
};

/** The samples of `$1` seconds in the last `$2` seconds, oldest first. */
export const READ: Prepared = {
  name: 'load_read',
  text: `SELECT at, jobs, failed, latencies, queued, oldest_wait_seconds::float8 AS "oldestWaitSeconds", workers,
                gpu_utilization::float8 AS "gpuUtilization", gpu_memory_bytes::float8 AS "gpuMemoryBytes",
                deliveries_due AS "deliveriesDue"
           FROM load_samples WHERE resolution = $1::int AND at >= now() - $2::int * interval '1 second'
          ORDER BY at`,
};
