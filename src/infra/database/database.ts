import type { Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { NoTracing } from '../telemetry/tracing/no-tracing.js';
import type { Tracing } from '../telemetry/tracing/tracing.js';
import { type ConnectionTraits, DIRECT, STATEMENT_TIMEOUT_MS, TRANSACTION_IDLE_MS } from './data-source.js';
import { isDatabaseUnavailable, UnconfirmedCommit } from './database-errors.js';

/** A statement that PostgreSQL parses and plans once per connection. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
}

/** Runs statements: the pool, or an open transaction. */
export interface Queryable {
  /** Runs a statement and returns its rows. Throws the driver's error. */
  query<Row extends object>(statement: Prepared | string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Serves list queries instead of the primary. */
export interface ListReplica {
  /** @param primary queried while the replica is unavailable */
  before(primary: Queryable): Queryable;
}

/** Limits of one transaction, besides those of all statements. */
export interface TransactionLimits {
  /** How long a statement waits for a row or table that another transaction holds. Default: as long as it may run. */
  readonly lockWaitMs?: number;
  /** How long it may run no statement; 0: forever. Then its connection is closed. Default: `TRANSACTION_IDLE_MS`. */
  readonly idleMs?: number;
}

/** Optional parts of a database. */
export interface DatabaseParts {
  readonly replica?: ListReplica | undefined;
  /** Traces statements as spans. */
  readonly tracing?: Tracing;
}

/** The number of connections of a pool. */
export interface PoolUse {
  readonly open: number;
  /** Idle connections. */
  readonly idle: number;
  /** Statements and transactions waiting for a connection. */
  readonly waiting: number;
  readonly most: number;
}

/**
 * Prepared statements for hot paths, on the connection pool of TypeORM. TypeORM itself serves the schema,
 * migrations and everything else.
 */
export class Database implements Queryable {
  /** For lists, which may lag behind like a read replica. */
  readonly lists: Queryable;
  private readonly traits: ConnectionTraits;
  private readonly tracing: Tracing;

  constructor(
    private readonly dataSource: DataSource,
    { replica, tracing = new NoTracing() }: DatabaseParts = {},
  ) {
    this.traits = traitsOf(dataSource);
    this.tracing = tracing;
    this.lists = replica?.before(this) ?? this;
  }

  async query<Row extends object>(
    statement: Prepared | string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    return this.traced(statement, () => runStatement<Row>(this.pool, this.traits, statement, values));
  }

  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  async transaction<T>(work: (tx: Queryable) => Promise<T>, limits: TransactionLimits = {}): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(beginning(this.traits, limits));
      const result = await work({
        query: (statement, values = []) =>
          this.traced(statement, () => runStatement(client, this.traits, statement, values)),
      });
      await commit(client);
      return result;
    } catch (error) {
      // A broken connection rolls back on its own; a query would only wait again.
      if (isDatabaseUnavailable(error)) broken = error as Error;
      else
        await client.query('ROLLBACK').catch((rollbackError: Error) => {
          broken = rollbackError;
        });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** The name of a statement describes it; its values are not recorded. */
  private traced<T>(statement: Prepared | string, work: () => Promise<T>): Promise<T> {
    const name = typeof statement === 'string' ? statement.trimStart().split(/\s/, 1)[0]! : statement.name;
    return this.tracing.within(
      `sql ${name}`,
      { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.operation.name': name } },
      work,
    );
  }

  /** The current use of the connections. */
  poolUse(): PoolUse {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount, most: options.max };
  }

  private get pool(): Pool {
    // TypeORM's PostgreSQL driver documents `master` as its pg pool.
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

/** One message, so that the limits cost no round trip. */
function beginning({ isPooled }: ConnectionTraits, limitsOf: TransactionLimits): string {
  const { lockWaitMs, idleMs = TRANSACTION_IDLE_MS } = limitsOf;
  const limits = [
    // Not a startup parameter, which poolers refuse.
    `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
    ...(isPooled ? [`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`] : []),
    ...(lockWaitMs === undefined ? [] : [`SET LOCAL lock_timeout = ${lockWaitMs}`]),
  ];
  return ['BEGIN ISOLATION LEVEL READ COMMITTED', ...limits].join('; ');
}

/** The traits that `dataSourceOptions` stored. */
function traitsOf(dataSource: DataSource): ConnectionTraits {
  const { extra } = dataSource.options as { extra?: { traits?: ConnectionTraits } };
  return extra?.traits ?? DIRECT;
}

async function commit(client: PoolClient): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (error) {
    throw isDatabaseUnavailable(error) ? new UnconfirmedCommit(error) : error;
  }
}

/** Runs a named statement, unless the connections do not support prepared statements. */
export async function runStatement<Row extends object>(
  on: Pool | PoolClient,
  { preparedStatements }: ConnectionTraits,
  statement: Prepared | string,
  values: readonly unknown[],
): Promise<Row[]> {
  const text = typeof statement === 'string' ? statement : statement.text;
  const config =
    typeof statement === 'string' || !preparedStatements ? { text } : { name: statement.name, text };
  const result = await on.query<Row & QueryResultRow>({ ...config, values: [...values] });
  return result.rows;
}
