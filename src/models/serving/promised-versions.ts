import type { OperationVersion } from '../repository/model-promise.js';
import { isSchemaOld, withBriefConnection } from './brief-connection.js';
import { WORKER_GONE_MS } from './model-workers.repository.js';

const PROMISED = `
  SELECT DISTINCT operation, (promise->>'version')::int AS version FROM jobs
   WHERE status IN ('queued', 'processing') AND promise IS NOT NULL
  UNION
  SELECT step->>'operation', (step->'promise'->>'version')::int FROM jobs, jsonb_array_elements(steps) AS step
   WHERE status IN ('queued', 'processing') AND steps IS NOT NULL
  UNION
  SELECT o->>'operation', (o->'model'->>'version')::int
    FROM model_workers, jsonb_array_elements(operations) AS o
   WHERE state = 'serving' AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds'`;

/**
 * Versions that unfinished jobs were promised, and versions that are being promised now. Read before the worker loads
 * anything, so on a connection of its own.
 */
export async function promisedVersions(databaseUrl: string): Promise<readonly OperationVersion[]> {
  try {
    return await withBriefConnection(
      databaseUrl,
      async (client) => (await client.query<OperationVersion>(PROMISED)).rows,
    );
  } catch (error) {
    if (isSchemaOld(error)) return [];
    throw error;
  }
}
