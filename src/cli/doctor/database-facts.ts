import { withClient } from '../../infra/database/with-client.js';

const CONNECT_MS = 5_000;

/** What one address of PostgreSQL leads to, and what its user may do there. */
export interface DatabaseFacts {
  /** For example `17.5 (Debian 17.5-1)`. */
  readonly version: string;
  readonly connections: string;
  /** True on a standby, or where the user's transactions are read-only. */
  readonly isReadOnly: boolean;
  readonly database: string;
  /** The same on a primary and its standbys. Undefined if the user may not read it. */
  readonly server: string | undefined;
  /** Also true if the tables exist. */
  readonly canCreateTables: boolean;
  readonly canCreateSchemas: boolean;
  /** How far the clock of this machine is ahead of that of the server; negative if it is behind. */
  readonly clockAheadMs: number;
}

const FACTS = `
  SELECT current_setting('server_version') AS version, current_setting('max_connections') AS connections,
         current_setting('transaction_read_only')::bool AS "isReadOnly", current_database() AS database,
         to_regclass('schema_migrations') IS NOT NULL
           OR coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "canCreateTables",
         has_database_privilege(current_database(), 'CREATE') AS "canCreateSchemas"`;

const CLOCK = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"';

const SERVER = 'SELECT system_identifier::text AS server FROM pg_control_system()';

/** @throws the driver's error if the address does not answer */
export function readDatabaseFacts(connectionString: string): Promise<DatabaseFacts> {
  return withClient({ connectionString, connectionTimeoutMillis: CONNECT_MS }, async (client) => {
    const { rows } = await client.query<Omit<DatabaseFacts, 'server' | 'clockAheadMs'>>(FACTS);
    const clock = await client.query<{ nowMs: number }>(CLOCK);
    const clockAheadMs = Date.now() - clock.rows[0]!.nowMs;
    const server = await client.query<{ server: string }>(SERVER).catch(() => undefined);
    return { ...rows[0]!, server: server?.rows[0]?.server, clockAheadMs };
  });
}
