import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BackupError } from '../../../src/cli/backup/backup-error.js';
import { backedUpTables } from '../../../src/cli/backup/backed-up-tables.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
});
afterEach(async () => {
  await client?.end();
  await database?.drop();
});

it('lists referenced tables first', async () => {
  const names = (await backedUpTables(client)).map(({ name }) => name);
  expect(names.indexOf('accounts')).toBeLessThan(names.indexOf('sources'));
});

it.each([
  {
    what: 'a cycle of foreign keys',
    change: 'ALTER TABLE accounts ADD COLUMN favorite text REFERENCES sources (id)',
    message: /^The foreign keys of the tables form a cycle: accounts → sources → accounts\. The schema/,
  },
  {
    what: 'a foreign key to a table of another schema',
    change: `CREATE SCHEMA other; CREATE TABLE other.labels (id text PRIMARY KEY);
             ALTER TABLE accounts ADD COLUMN label text REFERENCES other.labels (id)`,
    message: /^The table accounts has a foreign key to other\.labels, which is not backed up\. The schema/,
  },
])('names the tables of $what that an operator has added', async ({ change, message }) => {
  await client.query(change);
  const error = await backedUpTables(client).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BackupError);
  expect((error as BackupError).message).toMatch(message);
});
