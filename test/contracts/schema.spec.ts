import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENTITIES } from '../../src/app/role/entities.js';
import { dataSourceOptions } from '../../src/infra/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  const { databaseUrl } = database;
  dataSource = new DataSource(
    dataSourceOptions({ databaseUrl, poolSize: 2, applicationName: 'test', entities: ENTITIES }),
  );
  await dataSource.initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Only the migrations define constraints and (partial, covering) indexes: entities cannot express all of them. */
const MIGRATIONS_OWN = /DROP (CONSTRAINT|INDEX) /;

/** The statements that would make the tables and columns match the entities. */
async function missing(): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query).filter((query) => !MIGRATIONS_OWN.test(query));
}

describe('entities and migrations', () => {
  it('agree: the schema builder finds nothing to change', async () => {
    expect(await missing()).toEqual([]);
  });

  it.each([
    ['ALTER TABLE jobs DROP COLUMN device', /ADD "device" text/],
    ['ALTER TABLE sources ALTER COLUMN sha256 DROP NOT NULL', /"sha256" SET NOT NULL/],
    ['ALTER TABLE events ALTER COLUMN created_at TYPE timestamp', /"created_at" TIMESTAMP WITH TIME ZONE/],
    ['ALTER TABLE api_keys ADD COLUMN color text', /DROP COLUMN "color"/],
  ])('and the comparison would detect: %s', async (statement, found) => {
    await dataSource.query(statement);
    expect((await missing()).join('\n')).toMatch(found);
  });
});
