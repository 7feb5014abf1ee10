import pg from 'pg';
import type { Config } from '../../config/env.js';
import { databaseUrlFor } from '../../infra/database/embedded/database-url.js';
import { locateBinaries } from '../../infra/database/embedded/postgres-binaries.js';
import { type Finding, missing, ok, reasonOf } from './finding.js';

const OLDEST_MAJOR = 14;
const CONNECT_MS = 5_000;

/** Whether PostgreSQL answers, or can be started. */
export async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const url = await databaseUrlFor(config).catch(() => undefined);
  if (url !== undefined) return [await examineServer(url, config.databaseUrl !== undefined)];
  try {
    locateBinaries();
    return [
      ok(
        'database',
        'none runs; "npm start" brings an embedded PostgreSQL along, and its programs are there',
      ),
    ];
  } catch (error) {
    return [
      missing(
        'database',
        `the embedded PostgreSQL cannot run here (${reasonOf(error)})`,
        'Set DATABASE_URL to a PostgreSQL of yours, 14 or newer.',
      ),
    ];
  }
}

async function examineServer(connectionString: string, isOwn: boolean): Promise<Finding> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined);
  const name = isOwn ? 'the database of DATABASE_URL' : 'the embedded PostgreSQL of the running service';
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; connections: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('max_connections') AS connections`,
    );
    const { version, connections } = rows[0]!;
    const text = `${name} answers: PostgreSQL ${version}, ${connections} connections`;
    if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return ok('database', text);
    return missing('database', text, `Use PostgreSQL ${OLDEST_MAJOR} or newer.`);
  } catch (error) {
    const advice = isOwn
      ? 'Check address, user, password and network of DATABASE_URL.'
      : 'Stop the service and start it again.';
    return missing('database', `${name} does not answer (${reasonOf(error)})`, advice);
  } finally {
    await client.end().catch(() => undefined);
  }
}
