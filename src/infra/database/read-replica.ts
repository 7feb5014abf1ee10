import { Pool } from 'pg';
import { type ConnectionTraits, poolOptions } from './data-source.js';
import { type ListReplica, type Queryable, runStatement } from './database.js';
import { isDatabaseUnavailable } from './database-errors.js';

export interface ReadReplicaSettings {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly traits: ConnectionTraits;
  /** Called with a message when lists fall back to the primary. */
  readonly warn: (text: string) => void;
}

/** How long lists are read from the primary after the replica failed. */
const AWAY_MS = 5_000;
/** Shorter than for the primary, which is queried afterward. */
const CONNECT_MS = 2_000;

/**
 * SQLSTATE `serialization_failure`: a standby cancels a query that conflicts with replayed changes, for example a
 * vacuum of the primary.
 */
const REPLAY_CONFLICT = '40001';

/** A read replica for lists (`DATABASE_READ_URL`). The first list opens its first connection. */
export class ReadReplica implements ListReplica {
  private readonly pool: Pool;
  private awayUntilMs = 0;

  constructor(private readonly settings: ReadReplicaSettings) {
    const { databaseUrl, poolSize, applicationName, traits } = settings;
    this.pool = new Pool({
      connectionString: databaseUrl,
      max: poolSize,
      application_name: `${applicationName}-read`,
      connectionTimeoutMillis: CONNECT_MS,
      ...poolOptions(traits),
    });
    // The next list replaces an idle connection that broke.
    this.pool.on('error', () => undefined);
  }

  before(primary: Queryable): Queryable {
    return {
      query: async (statement, values = []) => {
        if (performance.now() < this.awayUntilMs) return primary.query(statement, values);
        try {
          return await runStatement(this.pool, this.settings.traits, statement, values);
        } catch (error) {
          if (isDatabaseUnavailable(error)) this.rest(error);
          else if (!isReplayConflict(error)) throw error;
          return primary.query(statement, values);
        }
      },
    };
  }

  /** Nest calls it when the application ends. */
  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }

  private rest(error: unknown): void {
    this.awayUntilMs = performance.now() + AWAY_MS;
    this.settings.warn(
      `the read replica cannot be reached, lists are read from the primary: ${String(error)}`,
    );
  }
}

function isReplayConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === REPLAY_CONFLICT;
}
