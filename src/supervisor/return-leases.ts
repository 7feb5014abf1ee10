import pg from 'pg';

const CONNECT_MS = 5_000;

/**
 * Ends the leases of a worker process that is known to be gone. Jobs that have attempts left go back to the queue,
 * where another worker finds them within two seconds; those that have none are left to the sweeper, which fails
 * them as it does when a lease runs out.
 * @param owner first part of the lease tokens of that process
 * @returns how many jobs were in hand
 * @throws what the database throws; then the leases run out by themselves
 */
export async function returnLeases(databaseUrl: string, owner: string, maxAttempts: number): Promise<number> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'ies-supervisor',
  });
  // The connection may break after the answer; that is nobody's concern.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query(RETURN_LEASES, [`${owner}.`, maxAttempts]);
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** The attempt stays counted: a job that kills its worker must not do so for ever. */
const RETURN_LEASES = `
  UPDATE jobs SET
         status = CASE WHEN attempts < $2 THEN 'queued' ELSE status END,
         progress = CASE WHEN attempts < $2 THEN 0 ELSE progress END,
         lease_token = CASE WHEN attempts < $2 THEN NULL ELSE lease_token END,
         lease_expires_at = CASE WHEN attempts < $2 THEN NULL ELSE now() - interval '1 millisecond' END,
         enqueued_at = NULL
   WHERE status = 'processing' AND starts_with(lease_token, $1)`;
