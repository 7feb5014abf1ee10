import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examineDatabase } from '../../../src/cli/doctor/examine-database.js';
import { readConfig } from '../../../src/config/env.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/postgres.js';

const OK = { area: 'database', status: 'ok' };
const faulty = (text: RegExp): object => ({
  status: 'missing',
  text: expect.stringMatching(text) as string,
  advice: expect.any(String) as string,
});

describe('what npm run doctor reports about a database', () => {
  let database: TestDatabase;
  let admin: FlowDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    admin = new FlowDatabase(database.databaseUrl);
  });
  afterEach(async () => {
    await admin.close();
    await database.drop();
  });

  const examine = (env: Readonly<Record<string, string>>) => examineDatabase(readConfig(env));
  const nameOf = (url: string): string => new URL(url).pathname.slice(1);

  it('accepts one database under all addresses', async () => {
    const { databaseUrl } = database;
    const env = {
      DATABASE_URL: databaseUrl,
      DATABASE_DIRECT_URL: databaseUrl,
      DATABASE_READ_URL: databaseUrl,
    };
    expect(await examine(env)).toMatchObject([OK, OK, OK]);
  });

  it('is missing when it is read-only, unless only lists are read there', async () => {
    const { databaseUrl } = database;
    await admin.rows(`ALTER DATABASE ${nameOf(databaseUrl)} SET default_transaction_read_only = on`);
    const env = { DATABASE_URL: databaseUrl, DATABASE_READ_URL: databaseUrl };
    expect(await examine(env)).toMatchObject([faulty(/DATABASE_URL is read-only/), OK]);
  });

  it('is missing when an address leads to another database', async () => {
    const other = await createTestDatabase();
    const env = { DATABASE_URL: database.databaseUrl, DATABASE_DIRECT_URL: other.databaseUrl };
    const names = `DIRECT_URL is "${nameOf(other.databaseUrl)}", not "${nameOf(database.databaseUrl)}"`;
    expect(await examine(env)).toMatchObject([OK, faulty(new RegExp(names))]);
    await other.drop();
  });

  it('is missing when its user may not create what the service needs', async () => {
    const user = `user_${randomBytes(6).toString('hex')}`;
    const url = new URL(database.databaseUrl);
    Object.assign(url, { username: user, password: 'secret' });
    await admin.rows('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await admin.rows(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
    try {
      const env = { DATABASE_URL: url.href };
      expect(await examine(env)).toMatchObject([faulty(/does not let its user create tables/)]);
      await admin.rows(`GRANT CREATE ON SCHEMA public TO ${user}`);
      expect(await examine(env)).toMatchObject([faulty(/create the schema "bullmq"/)]);
      expect(await examine({ ...env, REDIS_URL: 'redis://127.0.0.1:1' })).toMatchObject([OK]);
      // CREATE SCHEMA IF NOT EXISTS needs the privilege even then.
      await admin.rows('CREATE SCHEMA bullmq');
      const owned = new FlowDatabase(url.href);
      await expect(owned.rows('CREATE SCHEMA IF NOT EXISTS bullmq')).rejects.toThrow(/permission denied/);
      await owned.close();
      await admin.rows(`GRANT CREATE ON DATABASE ${nameOf(database.databaseUrl)} TO ${user}`);
      expect(await examine(env)).toMatchObject([OK]);
    } finally {
      await admin.rows(`DROP OWNED BY ${user}`);
      await admin.rows(`DROP ROLE ${user}`);
    }
  });
});
