import { afterEach, describe, expect, it } from 'vitest';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { refuseOutdatedSchema, runMigrations, SchemaOutdated } from '../../../src/infra/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';

describe('a role on a database with an outdated schema', () => {
  let database: TestDatabase | undefined;
  afterEach(() => database?.drop());

  it('is refused until the migrations have run, and changes nothing', async () => {
    database = await createTestDatabase();
    const { databaseUrl } = database;
    const dataSource = createDataSource({ databaseUrl, poolSize: 2, applicationName: 'spec' });
    await dataSource.initialize();
    try {
      await refuseOutdatedSchema(dataSource);
      await dataSource.query('DROP SCHEMA public CASCADE');
      await dataSource.query('CREATE SCHEMA public');
      await expect(refuseOutdatedSchema(dataSource)).rejects.toBeInstanceOf(SchemaOutdated);
      expect(await dataSource.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
      await runMigrations(databaseUrl);
      await refuseOutdatedSchema(dataSource);
    } finally {
      await dataSource.destroy();
    }
  });
});
