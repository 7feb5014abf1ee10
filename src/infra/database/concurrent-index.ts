import type { QueryRunner } from 'typeorm';

/**
 * Builds an index while the table is read and written. Only in a migration with `transaction = false`, since
 * PostgreSQL refuses `CONCURRENTLY` inside a transaction. A build that was interrupted leaves an invalid
 * index; it is dropped and built again, so the migration can be repeated.
 * @param definition what follows `ON`, for example `jobs (account_id, id)`
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  name: string,
  definition: string,
  kind: '' | 'UNIQUE' = '',
): Promise<void> {
  const [found] = (await runner.query(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )) as { isValid: boolean }[];
  if (found?.isValid === true) return;
  await withoutLockTimeout(runner, async () => {
    if (found !== undefined) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE ${kind} INDEX CONCURRENTLY ${name} ON ${definition}`);
  });
}

/** Drops an index without blocking reads or writes. Only in a migration with `transaction = false`. */
export async function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  await withoutLockTimeout(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

/** These statements wait for older transactions, but block nothing, so their wait is unlimited. */
async function withoutLockTimeout(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  const [before] = (await runner.query(`SELECT current_setting('lock_timeout') AS timeout`)) as {
    timeout: string;
  }[];
  await runner.query('SET lock_timeout = 0');
  try {
    await work();
  } finally {
    // Not RESET, which would leave the later migrations of this connection without a limit.
    await runner.query(`SELECT set_config('lock_timeout', $1, false)`, [before!.timeout]);
  }
}
