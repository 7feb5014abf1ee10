import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onDirectConnection } from '../../../src/cli/backup/direct-connection.js';
import { createDataSource, DIRECT } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres.js';

const ISOLATION = 'SHOW transaction_isolation';
const READ_COMMITTED = [{ transaction_isolation: 'read committed' }];
const TIME = `SELECT '2030-11-05T12:00:00Z'::timestamptz AS at`;
const TIMES = [{ at: new Date('2030-11-05T12:00:00Z') }];

describe('a database with other defaults for its sessions', () => {
  let database: TestDatabase;
  const open: DataSource[] = [];
  beforeEach(async () => {
    database = await createEmptyDatabase();
    const name = new URL(database.databaseUrl).pathname.slice(1);
    const superuser = new FlowDatabase(database.databaseUrl);
    await superuser.rows(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
    await superuser.rows(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
    await superuser.close();
  });
  afterEach(async () => {
    for (const dataSource of open.splice(0)) await dataSource.destroy();
    await database.drop();
  });

  const connect = async (isPooled: boolean): Promise<Database> => {
    const dataSource = createDataSource({
      databaseUrl: database.databaseUrl,
      applicationName: 'ies-spec',
      poolSize: 2,
      traits: { ...DIRECT, isPooled },
    });
    open.push(await dataSource.initialize());
    return new Database(dataSource);
  };

  it('is read and written as any other', async () => {
    const direct = await connect(false);
    expect(await direct.query(TIME)).toEqual(TIMES);
    expect(await direct.query(ISOLATION)).toEqual(READ_COMMITTED);
    expect(await direct.transaction((tx) => tx.query(ISOLATION))).toEqual(READ_COMMITTED);
  });

  it('has the isolation of the service in transactions through a pooler', async () => {
    const pooled = await connect(true);
    expect(await pooled.transaction((tx) => tx.query(ISOLATION))).toEqual(READ_COMMITTED);
  });

  it('can be backed up', async () => {
    const rows = await onDirectConnection(
      database.databaseUrl,
      async (client) => (await client.query(TIME)).rows,
    );
    expect(rows).toEqual(TIMES);
  });
});
