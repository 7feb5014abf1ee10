import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { Accounts1732200000000 } from '../../../src/infra/database/migrations/1732200000000-accounts.js';
import { FairTurns1732350000000 } from '../../../src/infra/database/migrations/1732350000000-fair-turns.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';

/** The indexes as these migrations built them when they were released. */
const RELEASED = {
  jobs_account_results:
    'CREATE INDEX jobs_account_results ON public.jobs USING btree (account_id) WHERE (result_key IS NOT NULL)',
  jobs_account_turn:
    "CREATE INDEX jobs_account_turn ON public.jobs USING btree (account_id, turn) WHERE (status = 'queued'::text)",
  jobs_turn: "CREATE INDEX jobs_turn ON public.jobs USING btree (turn, id) WHERE (status = 'queued'::text)",
};

describe('migrations that used to lock the table of jobs', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = createDataSource({
      databaseUrl: database.databaseUrl,
      poolSize: 1,
      applicationName: 'test',
    });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  const indexes = async (): Promise<Record<string, string>> => {
    const rows: { name: string; definition: string }[] = await dataSource.query(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE indexname = ANY ($1) ORDER BY 1`,
      [Object.keys(RELEASED)],
    );
    return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
  };

  it('build the indexes that they were released with, one of which a later migration drops', async () => {
    const { jobs_account_turn: _, ...others } = RELEASED;
    expect(await indexes()).toEqual(others);
  });

  it('can be repeated after an interruption without losing data', async () => {
    await dataSource.query('UPDATE job_clock SET turn = 42');
    await dataSource.query('DROP INDEX jobs_account_results');
    const runner = dataSource.createQueryRunner();
    try {
      for (const migration of [new Accounts1732200000000(), new FairTurns1732350000000()])
        await migration.up(runner);
    } finally {
      await runner.release();
    }
    expect(await indexes()).toEqual(RELEASED);
    expect(await dataSource.query('SELECT turn::int FROM job_clock')).toEqual([{ turn: 42 }]);
  });
});
