import pg from 'pg';
import type { Config } from '../../config/env.js';
import { databaseUrlFor } from '../../infra/database/embedded/database-url.js';
import { locateBinaries } from '../../infra/database/embedded/postgres-binaries.js';
import { type Finding, missing, ok, reasonOf } from './finding.js';

const OLDEST_MAJOR = 14;
const CONNECT_MS = 5_000;

/** Checks that PostgreSQL responds, or can be started. */
export async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const url = await databaseUrlFor(config).catch(() => undefined);
  const own = serversOf(config);
  if (own.length > 0) return Promise.all(own.map(([name, address]) => examineServer(address, name)));
  if (url !== undefined) return [await examineServer(url)];
  try {
    locateBinaries();
    return [
      ok('database', 'not running; "npm start" runs an embedded PostgreSQL, and its programs are installed'),
    ];
  } catch (error) {
    return [
      missing(
        'database',
        `the embedded PostgreSQL cannot run here (${reasonOf(error)})`,
        'Set DATABASE_URL to your own PostgreSQL server, version 14 or newer.',
      ),
    ];
  }
}

/** The variables that are set, with their URLs. */
function serversOf(config: Config): readonly (readonly [variable: string, address: string])[] {
  const { databaseUrl, databaseDirectUrl, databaseReadUrl } = config;
  const servers = {
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
    DATABASE_READ_URL: databaseReadUrl,
  };
  return Object.entries(servers).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** @param variable source of the URL; undefined for the embedded server */
async function examineServer(connectionString: string, variable?: string): Promise<Finding> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined);
  const name =
    variable === undefined ? 'the embedded PostgreSQL of the running service' : `the database of ${variable}`;
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
    const advice =
      variable === undefined
        ? 'Stop the service and start it again.'
        : `Check address, user, password, network and TLS of ${variable}.`;
    return missing('database', `${name} does not answer (${reasonOf(error)})`, advice);
  } finally {
    await client.end().catch(() => undefined);
  }
}
