import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source.js';

/** Any number nobody else uses: serialises migrations of processes that start at the same time. */
const MIGRATION_LOCK = 7_421_950_113;

/**
 * Brings the schema to the newest version. Safe to call from many processes at once: an advisory lock
 * makes them take turns, and the later ones find nothing to do.
 */
export async function runMigrations(databaseUrl: string): Promise<void> {
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 2,
    applicationName: 'ies-migrate',
    // Waiting for the lock below, too, may take as long as another process migrates.
    unlimited: true,
  });
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    await runner.connect();
    try {
      await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await dataSource.runMigrations({ transaction: 'each' });
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** The schema lacks migrations that this version of the service needs. The message is for people. */
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
    .map((migration) => migration.name ?? migration.constructor.name)
    .filter((name) => !done.has(name));
  if (missing.length > 0) throw new SchemaOutdated(missing);
}
