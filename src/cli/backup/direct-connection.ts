import pg from 'pg';
import { SESSION_OPTIONS } from '../../infra/database/session-options.js';

const CONNECT_MS = 5_000;

/** Runs `work` on one connection without a pooler, and then closes it. */
export async function onDirectConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'ies-backup',
    options: SESSION_OPTIONS,
    keepAlive: true,
  });
  // Errors of the connection are ignored here: the failed statement reports the error to the caller.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The database role may have a statement timeout for the service's requests.
    await client.query('SET statement_timeout = 0');
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
