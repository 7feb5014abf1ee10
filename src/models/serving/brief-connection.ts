import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../infra/database/database-errors.js';
import { withClient } from '../../infra/database/with-client.js';

const TRIES = 20;
const PAUSE_MS = 500;
const CONNECT_MS = 5_000;

/**
 * Runs a few statements on a separate connection, for queries of a worker before its application exists. Retries for
 * ten seconds while the database is unavailable.
 * @param work may run more than once
 * @throws the last error
 */
export async function withBriefConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const config = { connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS };
  for (let tries = 1; ; tries += 1) {
    try {
      return await withClient(config, work);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || tries === TRIES) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

/** Whether a table or column is missing because migrations have not run yet. Code that needs the schema reports it. */
export function isSchemaOld(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '42P01' || error.code === '42703');
}
