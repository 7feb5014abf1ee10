import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { createDataSource } from './data-source.js';

/** Arbitrary lock id that serializes migrations of concurrent processes. */
const MIGRATION_LOCK = 7_421_950_113;
const LOCK_POLL_MS = 200;
/** Limit on the wait for a table lock, because statements queued behind it would wait just as long. */
const TABLE_LOCK_TIMEOUT_MS = 2_000;
const TABLE_LOCK_PAUSE_MS = 1_000;
const TABLE_LOCK_TRIES = 60;

/**
 * Migrates the schema to the newest version. Safe to call from many processes at once: an advisory lock serializes
 * them, and later ones find nothing to do. The lock and the migrations share a connection, so a killed process holds
 * the lock only while PostgreSQL executes its last statement.
 * @param databaseUrl without a pooler, which supports no sessions and therefore no such lock
 * @param only names of the migrations to run, for the schema of a backup. Default: all
 */
export async function runMigrations(databaseUrl: string, only?: readonly string[]): Promise<void> {
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 1,
    applicationName: 'ies-migrate',
    ...(only !== undefined && { migrations: only }),
    unlimited: true,
  });
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    await runner.connect();
    try {
      // Building an index may take long, and the database role may have a limit for the service's statements.
      await runner.query('SET statement_timeout = 0');
      await takeLock(runner);
      await runner.query(`SET lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
      await migrate(dataSource, runner);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Polls, because `CREATE INDEX CONCURRENTLY` would wait for a blocked statement. */
async function takeLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [MIGRATION_LOCK])) as {
      locked: boolean;
    }[];
    if (row!.locked) return;
    await sleep(LOCK_POLL_MS);
  }
}

/** Runs pending migrations. A migration that did not get its table lock changed nothing and is retried. */
async function migrate(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      await executor.executePendingMigrations();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tries === TABLE_LOCK_TRIES) throw error;
      await sleep(TABLE_LOCK_PAUSE_MS);
    }
  }
}

/** SQLSTATE `lock_not_available`. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

/** The schema lacks migrations of this version. The message is for operators. */
export class SchemaOutdated extends Error {
  constructor(readonly missing: readonly string[]) {
    super('The database schema is not up to date: run "node dist/main.admin.js migrate" first.');
    this.name = 'SchemaOutdated';
  }
}

/** Changes nothing. @throws SchemaOutdated when a migration is pending */
export async function refuseOutdatedSchema(dataSource: DataSource): Promise<void> {
  const done = new Set<string>();
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
  );
  if (table?.found === true) {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM schema_migrations');
    for (const { name } of rows) done.add(name);
  }
  const missing = dataSource.migrations
    .map(({ constructor }) => constructor.name)
    .filter((name) => !done.has(name));
  if (missing.length > 0) throw new SchemaOutdated(missing);
}
