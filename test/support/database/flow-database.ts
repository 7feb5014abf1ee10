import pg from 'pg';

const BLOCKED = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Reads the database directly, without the service. */
export class FlowDatabase {
  private readonly pool: pg.Pool;

  constructor(databaseUrl: string) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    // An idle connection ends when a test kills the server; the next query opens a new one.
    this.pool.on('error', () => undefined);
  }

  async rows<Row extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await this.pool.query<Row & pg.QueryResultRow>(text, [...values])).rows;
  }

  /** Makes the service write the events of all accounts: creates a disabled endpoint for all types in each. */
  async listen(): Promise<void> {
    await this.rows(
      `INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, disabled_reason, sealed_secret, previous_secrets,
         created_at, updated_at)
       SELECT 'we_' || md5(id), id, 'https://receiver.example/', '{*}', '{}', false, 'manual', '', '[]', now(), now() FROM accounts
       ON CONFLICT DO NOTHING`,
    );
  }

  /** Every ledger entry of a job, in alphabetical order: what was reserved, committed, refunded. */
  async ledger(jobId: string): Promise<string[]> {
    const rows = await this.rows<{ kind: string }>(
      'SELECT kind FROM quota_ledger WHERE job_id = $1 ORDER BY kind',
      [jobId],
    );
    return rows.map(({ kind }) => kind);
  }

  /** The types of all events about a job, in alphabetical order. */
  async events(jobId: string): Promise<string[]> {
    const rows = await this.rows<{ type: string }>(
      `SELECT type FROM events WHERE data->'job'->>'id' = $1 ORDER BY type`,
      [jobId],
    );
    return rows.map(({ type }) => type);
  }

  /** The row of a job, by column name. */
  async job(jobId: string): Promise<Record<string, unknown>> {
    const [row] = await this.rows('SELECT * FROM jobs WHERE id = $1', [jobId]);
    if (row === undefined) throw new Error(`there is no row of ${jobId}`);
    return row;
  }

  /**
   * Blocks writes to a table by others while `work` runs. `SHARE ROW EXCLUSIVE` still allows reads.
   * @param table with its schema, if it is not ours
   */
  whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
    return this.whileHeld(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`, [], work);
  }

  /** Holds the locks of a statement, for example of `SELECT … FOR UPDATE`, while `work` runs. */
  async whileHeld<T>(lock: string, values: readonly unknown[], work: () => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(lock, [...values]);
      return await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  /** How many statements of others wait for a lock. */
  async blocked(): Promise<number> {
    return (await this.rows(BLOCKED)).length;
  }

  /** Ends the connections whose statement waits for a lock, as if it had never reached the server. */
  async endBlocked(): Promise<void> {
    await this.rows(`SELECT pg_terminate_backend(pid, 10000) FROM (${BLOCKED}) AS blocked`);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
