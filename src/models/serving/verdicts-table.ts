import { isSchemaOld, withBriefConnection } from './brief-connection.js';

/** The result of one trial run. */
export interface VerdictRecord {
  /** Identifies the version with everything that the verdict depends on. */
  readonly key: string;
  readonly operation: string;
  readonly version: number;
  /** Null for a version that runs. */
  readonly reason: string | null;
}

/** Stores verdicts, so that a version that crashed one worker is not tried by the next. */
export interface VerdictStore {
  /** The reasons by key; null for a version that runs. */
  read(): Promise<ReadonlyMap<string, string | null>>;
  write(record: VerdictRecord): Promise<void>;
  forgetRefusals(): Promise<void>;
}

/** Maximum number of stored verdicts. Older ones are assumed to belong to versions that no longer exist. */
const KEPT = 500;

const READ = 'SELECT key, reason FROM model_verdicts';
const WRITE = `
  INSERT INTO model_verdicts (key, operation, version, reason) VALUES ($1, $2, $3, $4)
  ON CONFLICT (key) DO UPDATE SET reason = EXCLUDED.reason, found_at = now()`;
const PRUNE = `
  DELETE FROM model_verdicts
   WHERE key IN (SELECT key FROM model_verdicts ORDER BY found_at DESC, key OFFSET ${KEPT})`;
const FORGET = 'DELETE FROM model_verdicts WHERE reason IS NOT NULL';

/** Verdicts in the database, for all workers of an installation. */
export class VerdictsTable implements VerdictStore {
  constructor(private readonly databaseUrl: string) {}

  async read(): Promise<ReadonlyMap<string, string | null>> {
    try {
      const { rows } = await withBriefConnection(this.databaseUrl, (client) =>
        client.query<{ key: string; reason: string | null }>(READ),
      );
      return new Map(rows.map(({ key, reason }) => [key, reason]));
    } catch (error) {
      if (isSchemaOld(error)) return new Map();
      throw error;
    }
  }

  async write({ key, operation, version, reason }: VerdictRecord): Promise<void> {
    await withBriefConnection(this.databaseUrl, async (client) => {
      await client.query(WRITE, [key, operation, version, reason]);
      await client.query(PRUNE);
    });
  }

  async forgetRefusals(): Promise<void> {
    await withBriefConnection(this.databaseUrl, (client) => client.query(FORGET));
  }
}
