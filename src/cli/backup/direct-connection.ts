import type pg from 'pg';
import { SESSION_OPTIONS } from '../../infra/database/session-options.js';
import { withClient } from '../../infra/database/with-client.js';

const CONNECT_MS = 5_000;

/** Runs `work` on one connection without a pooler, and then closes it. */
export function onDirectConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const config = {
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'ies-backup',
    options: SESSION_OPTIONS,
    keepAlive: true,
  };
  return withClient(config, async (client) => {
    // The database role may have a statement timeout for the service's requests.
    await client.query('SET statement_timeout = 0');
    return work(client);
  });
}
