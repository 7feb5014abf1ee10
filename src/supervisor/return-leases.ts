import { withClient } from '../infra/database/with-client.js';

const CONNECT_MS = 5_000;

/**
 * Ends the leases of a dead worker process. Jobs with attempts left return to the queue, where another worker finds
 * them within two seconds. The sweeper fails the other jobs, as it does when a lease expires.
 * @param owner prefix of the lease tokens of that process
 * @returns the number of jobs that it was running
 * @throws database errors; the leases then expire on their own
 */
export async function returnLeases(databaseUrl: string, owner: string, maxAttempts: number): Promise<number> {
  const config = {
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: 'ies-supervisor',
  };
  const { rowCount } = await withClient(config, (client) =>
    client.query(RETURN_LEASES, [`${owner}.`, maxAttempts]),
  );
  return rowCount ?? 0;
}

/** The attempt still counts, because a job that kills its worker must not do so forever. */
const RETURN_LEASES = `
  UPDATE jobs SET
         status = CASE WHEN attempts < $2 THEN 'queued' ELSE status END,
         progress = CASE WHEN attempts < $2 THEN 0 ELSE progress END,
         lease_token = CASE WHEN attempts < $2 THEN NULL ELSE lease_token END,
         lease_expires_at = CASE WHEN attempts < $2 THEN NULL ELSE now() - interval '1 millisecond' END,
         enqueued_at = NULL
   WHERE status = 'processing' AND starts_with(lease_token, $1)`;
