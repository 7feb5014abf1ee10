import type { PromisedVersion } from '../repository/model-promise.js';
import { isSchemaOld, withBriefConnection } from './brief-connection.js';
import { WORKER_GONE_MS } from './model-workers.repository.js';

/** One branch for each status, because each has an index of its own. A list of both reads the whole table. */
export const PROMISED_VERSIONS = `
  WITH unfinished AS MATERIALIZED (
    SELECT operation, promise, steps FROM jobs WHERE status = 'queued' AND (promise IS NOT NULL OR steps IS NOT NULL)
    UNION ALL
    SELECT operation, promise, steps FROM jobs WHERE status = 'processing' AND (promise IS NOT NULL OR steps IS NOT NULL))
  SELECT operation, version, bool_or(pinned) AS "isPinned" FROM (
    SELECT operation, (promise->>'version')::int AS version, false AS pinned FROM unfinished
     WHERE promise IS NOT NULL
    UNION
    SELECT step->>'operation', (step->'promise'->>'version')::int, step->'promise' ? 'pinned'
      FROM unfinished, jsonb_array_elements(steps) AS step
     WHERE steps IS NOT NULL AND step->'promise' <> 'null'
    UNION
    SELECT o->>'operation', (o->'model'->>'version')::int, false
      FROM model_workers, jsonb_array_elements(operations) AS o
     WHERE state = 'serving' AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds') AS promised
   GROUP BY operation, version`;

/**
 * Versions that were promised to unfinished jobs, and versions that are currently promised. Read before the worker
 * loads anything, and therefore on a separate connection.
 */
export async function promisedVersions(databaseUrl: string): Promise<readonly PromisedVersion[]> {
  try {
    return await withBriefConnection(
      databaseUrl,
      async (client) => (await client.query<PromisedVersion>(PROMISED_VERSIONS)).rows,
    );
  } catch (error) {
    if (isSchemaOld(error)) return [];
    throw error;
  }
}
