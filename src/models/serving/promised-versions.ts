import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../infra/database/database.js';
import type { OperationVersion } from '../repository/model-promise.js';
import { WORKER_GONE_MS } from './model-workers.repository.js';

const PROMISED = `
  SELECT DISTINCT operation, (promise->>'version')::int AS version FROM jobs
   WHERE status IN ('queued', 'processing') AND promise IS NOT NULL
  UNION
  SELECT o->>'operation', (o->'model'->>'version')::int
    FROM model_workers, jsonb_array_elements(operations) AS o
   WHERE state = 'serving' AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds'`;

const TRIES = 20;
const PAUSE_MS = 500;

/**
 * Versions that unfinished jobs were promised, and versions that are being promised now. Read before the worker loads
 * anything, so on a connection of its own.
 */
export async function promisedVersions(databaseUrl: string): Promise<readonly OperationVersion[]> {
  for (let tries = 1; ; tries += 1) {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
    try {
      await client.connect();
      return (await client.query<OperationVersion>(PROMISED)).rows;
    } catch (error) {
      if (isSchemaOld(error)) return [];
      if (!isDatabaseUnavailable(error) || tries === TRIES) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(PAUSE_MS);
  }
}

/** No such table or column: an older schema without promises. Code that needs the new schema reports it. */
function isSchemaOld(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '42P01' || error.code === '42703');
}
