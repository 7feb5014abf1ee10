import type { ClientBase } from 'pg';
import { BackupError } from './backup-error.js';

const CONNECTED = `
  SELECT DISTINCT application_name AS name FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name ~ '^ies-(api|worker|dispatcher)'`;

/** @throws BackupError while a process of the service is connected to the database */
export async function refuseWhileInUse(client: ClientBase): Promise<void> {
  const connected = await client.query<{ name: string }>(CONNECTED);
  if (connected.rows.length > 0)
    throw new BackupError(
      `Stop the service first: ${connected.rows.map(({ name }) => name).join(', ')} use this database.`,
    );
}

/**
 * Checks that a backup may be loaded into the database, because it is unused.
 * @param migrations of the backup
 * @throws BackupError
 */
export async function refuseUnlessEmpty(client: ClientBase, migrations: readonly string[]): Promise<void> {
  if (!(await exists(client, 'schema_migrations'))) return;
  const done = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
  const names = new Set(done.rows.map(({ name }) => name));
  if (names.size === 0) return;
  const isSame = names.size === migrations.length && migrations.every((name) => names.has(name));
  const used = await client.query<{ used: boolean }>('SELECT EXISTS (SELECT FROM accounts) AS used');
  if (used.rows[0]!.used || !isSame)
    throw new BackupError(
      `The database ${used.rows[0]!.used ? 'has accounts' : 'has the schema of another version'}. A backup is restored into a new database, or into a new DATA_DIR for the embedded one.`,
    );
}

async function exists(client: ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    table,
  ]);
  return rows[0]!.found;
}
