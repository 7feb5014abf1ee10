import pg from 'pg';

const CONNECT_MS = 5_000;

/** Runs `work` on one connection without a pooler, and closes it whatever happens. */
export async function onDirectConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'ies-backup',
    keepAlive: true,
  });
  // The statement that fails tells the caller.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // A role may have a limit for the requests of the service.
    await client.query('SET statement_timeout = 0');
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
