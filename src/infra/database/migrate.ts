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
