import { withClient } from '../with-client.js';

/** PostgreSQL's `duplicate_database`. */
const DUPLICATE = '42P04';

/** Creates the database of `databaseUrl` if it does not exist. */
export async function ensureDatabase(databaseUrl: string): Promise<void> {
  const maintenance = new URL(databaseUrl);
  const name = decodeURIComponent(maintenance.pathname.slice(1));
  maintenance.pathname = '/postgres';
  await withClient({ connectionString: maintenance.href }, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  }).catch((error: unknown) => {
    if ((error as { code?: string }).code !== DUPLICATE) throw error;
  });
}
