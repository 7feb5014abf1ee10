import pg from 'pg';

/** PostgreSQL's `duplicate_database`. */
const DUPLICATE = '42P04';

/** Creates the database of `databaseUrl` if it does not exist. */
export async function ensureDatabase(databaseUrl: string): Promise<void> {
  const maintenance = new URL(databaseUrl);
  const name = decodeURIComponent(maintenance.pathname.slice(1));
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if ((error as { code?: string }).code !== DUPLICATE) throw error;
  } finally {
    await client.end();
  }
}
