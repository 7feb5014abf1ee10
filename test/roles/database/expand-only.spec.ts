import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATION_NAMES } from '../../../src/infra/database/data-source.js';
import { runMigrations } from '../../../src/infra/database/migrate.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres.js';

interface Column {
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
}

type Columns = ReadonlyMap<string, Column>;

/** Before the first release, migrations removed only what no released process used. */
const BEFORE_RELEASE = MIGRATION_NAMES.indexOf('MachineFaults1733000000000');

/** One migration creates them for another one of the same release. */
const INTERIM = new Set(['usage_days_start.at is gone', 'usage_operations_start.at is gone']);

describe('migrations', () => {
  let database: TestDatabase;
  let rows: FlowDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    rows = new FlowDatabase(database.databaseUrl);
    await runMigrations(database.databaseUrl, MIGRATION_NAMES.slice(0, BEFORE_RELEASE));
  });
  afterAll(async () => {
    await rows?.close();
    await database?.drop();
  });

  async function columns(): Promise<Columns> {
    const found = await rows.rows<{ name: string } & Column>(
      `SELECT table_name || '.' || column_name AS name, udt_name AS type, is_nullable = 'NO' AS "isRequired",
              column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS' AS "hasDefault"
         FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    return new Map(found.map(({ name, ...column }) => [name, column]));
  }

  /** Changes that would break a process of the previous version. */
  function breaks(before: Columns, after: Columns): string[] {
    const lost = [...before].flatMap(([name, column]) => {
      const now = after.get(name);
      if (now === undefined) return [`${name} is gone`];
      if (now.type !== column.type) return [`${name} is ${now.type} instead of ${column.type}`];
      return now.isRequired && !column.isRequired && !now.hasDefault ? [`${name} became required`] : [];
    });
    const tables = new Set([...before.keys()].map((name) => name.split('.')[0]));
    const required = [...after].filter(
      ([name, { isRequired, hasDefault }]) =>
        !before.has(name) && tables.has(name.split('.')[0]) && isRequired && !hasDefault,
    );
    return [...lost, ...required.map(([name]) => `${name} is new and required`)];
  }

  it.each(MIGRATION_NAMES.slice(BEFORE_RELEASE))(
    '%s removes nothing that the previous version uses',
    async (name) => {
      const before = await columns();
      await runMigrations(database.databaseUrl, MIGRATION_NAMES.slice(0, MIGRATION_NAMES.indexOf(name) + 1));
      const found = breaks(before, await columns());
      expect(found.filter((one) => !INTERIM.has(one))).toEqual([]);
    },
  );

  it.each([
    ['ALTER TABLE jobs DROP COLUMN device', 'jobs.device is gone'],
    ['ALTER TABLE api_keys ALTER COLUMN name TYPE varchar', 'api_keys.name is varchar instead of text'],
    ['ALTER TABLE sources ADD COLUMN shade text NOT NULL', 'sources.shade is new and required'],
    ['ALTER TABLE api_keys ALTER COLUMN last_used_at SET NOT NULL', 'api_keys.last_used_at became required'],
    ['DROP TABLE restores', 'restores.id is gone'],
  ])('and the check would detect: %s', async (statement, found) => {
    const before = await columns();
    await rows.rows(statement);
    expect(breaks(before, await columns())).toContain(found);
  });
});
