import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createIndexConcurrently,
  dropIndexConcurrently,
} from '../../../src/infra/database/concurrent-index.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { runMigrations } from '../../../src/infra/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { eventually } from '../../support/roles/flow-wait.js';

const INDEX = 'jobs_account_status';

describe('migrations on a database in use', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const open: pg.Client[] = [];

  const connect = async (): Promise<pg.Client> => {
    const connection = new pg.Client({ connectionString: database.databaseUrl });
    connection.on('error', () => undefined);
    await connection.connect();
    open.push(connection);
    return connection;
  };
  const isValid = async (): Promise<boolean | undefined> => {
    const { rows } = await client.query<{ valid: boolean }>(
      'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [INDEX],
    );
    return rows[0]?.valid;
  };
  const isBuilding = async (): Promise<void> => {
    for (let tries = 0; tries < 500; tries += 1) {
      const { rows } = await client.query(
        `SELECT 1 FROM pg_stat_progress_create_index WHERE datname = current_database()
            AND EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1))`,
        [INDEX],
      );
      if (rows.length > 0) return;
      await sleep(20);
    }
    throw new Error('the index is not being built');
  };

  /** Undoes the migration that builds the index, with enough rows that building it takes a while. */
  beforeEach(async () => {
    database = await createTestDatabase();
    client = await connect();
    await client.query(`DELETE FROM schema_migrations WHERE name LIKE 'ListIndexes%'`);
    await client.query(`DROP INDEX ${INDEX}`);
    await client.query(`INSERT INTO accounts (id, email, plan) VALUES ('acc_1', 'a@example.org', 'free')`);
    await client.query(
      `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
       VALUES ('src_1', 'acc_1', 'sources/src_1.png', 'png', 1, 1, 1, '', now())`,
    );
    await insertJobs(1, 20_000);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((connection) => connection.end().catch(() => undefined)));
    await database.drop();
  });

  const insertJobs = (from: number, to: number) =>
    client.query(
      `INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, source_pixels, period, created_at)
       SELECT 'job_' || n, 'acc_1', 'src_1', 'upscale', 'low', '{}', '{}', 'queued', 1, '2026-01', now()
         FROM generate_series($1::int, $2::int) n`,
      [from, to],
    );

  it('build indexes while other connections write', async () => {
    // An open transaction delays the build until it ends, so writes are sure to happen during the build.
    const holder = await connect();
    await holder.query('BEGIN');
    await holder.query(`UPDATE jobs SET progress = 0.5 WHERE id = 'job_1'`);
    const migration = runMigrations(database.databaseUrl);
    await isBuilding();
    await client.query(`SET statement_timeout = '10s'`);
    for (let n = 0; n < 20; n += 1) await insertJobs(30_000 + n, 30_000 + n);
    await client.query(`UPDATE jobs SET progress = 0.5 WHERE id = 'job_2'`);
    expect(await isValid()).toBe(false);
    await holder.query('COMMIT');
    await migration;
    expect(await isValid()).toBe(true);
  });

  it('build indexes for longer than the statement timeout of their database role', async () => {
    const holder = await connect();
    await client.query(
      `DO $$ BEGIN
         EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = 200', current_user, current_database());
       END $$`,
    );
    await holder.query('BEGIN');
    await holder.query(`UPDATE jobs SET progress = 0.5 WHERE id = 'job_1'`);
    const migration = runMigrations(database.databaseUrl).then(
      () => 'done',
      (error: unknown) => String(error),
    );
    await isBuilding();
    await client.query('SELECT pg_sleep(0.3)');
    await holder.query('COMMIT');
    expect(await migration).toBe('done');
    expect(await isValid()).toBe(true);
  });

  it('replace the invalid index that a killed migration left behind', async () => {
    const holder = await connect();
    await holder.query('BEGIN');
    await holder.query(`UPDATE jobs SET progress = 0.5 WHERE id = 'job_1'`);
    const killed = runMigrations(database.databaseUrl).catch((error: unknown) => String(error));
    await isBuilding();
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'ies-migrate' AND datname = current_database()`,
    );
    expect(await killed).toMatch(/terminat/);
    await holder.query('COMMIT');
    expect(await isValid()).toBe(false);
    await runMigrations(database.databaseUrl);
    expect(await isValid()).toBe(true);
  });

  it('run one at a time when several processes start them at once', async () => {
    await Promise.all([1, 2, 3, 4].map(() => runMigrations(database.databaseUrl)));
    expect(await isValid()).toBe(true);
    const { rows } = await client.query(`SELECT 1 FROM schema_migrations WHERE name LIKE 'ListIndexes%'`);
    expect(rows.length).toBe(1);
  });

  it('wait for a table lock without blocking others for long, and then acquire it', async () => {
    // This migration changes a table, which requires a lock that conflicts with every reader.
    await client.query(`DELETE FROM schema_migrations WHERE name LIKE 'MachineFaults%'`);
    await client.query('ALTER TABLE jobs DROP COLUMN machine_faults');
    const reader = await connect();
    await reader.query('BEGIN');
    await reader.query('SELECT 1 FROM jobs LIMIT 1');
    const migration = runMigrations(database.databaseUrl);
    await eventually('the migration to wait for its table lock', async () => {
      const { rows: seen } = await client.query(
        `SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database()
          WHERE relation = 'jobs'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`,
      );
      return { found: seen[0], seen };
    });
    await client.query(`SET statement_timeout = '20s'`);
    // Queues behind the migration's lock request until that times out.
    await client.query(`SELECT count(*) FROM jobs`);
    await reader.query('COMMIT');
    await migration;
    await client.query('SELECT machine_faults FROM jobs LIMIT 1');
    expect(await isValid()).toBe(true);
  });

  it('keep their limit on the wait for table locks after building or dropping an index', async () => {
    const dataSource = createDataSource({
      databaseUrl: database.databaseUrl,
      poolSize: 1,
      applicationName: 'spec',
    });
    await dataSource.initialize();
    const runner = dataSource.createQueryRunner();
    const limit = async (): Promise<unknown> => runner.query('SHOW lock_timeout');
    try {
      await runner.query('SET lock_timeout = 2000');
      await createIndexConcurrently(runner, INDEX, 'jobs (account_id, status)');
      expect(await limit()).toEqual([{ lock_timeout: '2s' }]);
      await dropIndexConcurrently(runner, INDEX);
      expect(await limit()).toEqual([{ lock_timeout: '2s' }]);
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
  });
});
