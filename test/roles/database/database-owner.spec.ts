import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runMigrations } from '../../../src/infra/database/migrate.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres.js';

describe('a user of PostgreSQL who is no superuser', () => {
  const user = `user_${randomBytes(6).toString('hex')}`;
  let database: TestDatabase;
  let superuser: FlowDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    superuser = new FlowDatabase(database.databaseUrl);
    await superuser.rows(`CREATE ROLE ${user} LOGIN PASSWORD '${new URL(database.databaseUrl).password}'`);
  });
  afterEach(async () => {
    await superuser.close();
    await database.drop();
    const server = new FlowDatabase(
      Object.assign(new URL(database.databaseUrl), { pathname: '/postgres' }).href,
    );
    await server.rows(`DROP ROLE ${user}`);
    await server.close();
  });

  const nameOf = (url: string): string => new URL(url).pathname.slice(1);
  const urlOfUser = (): string => Object.assign(new URL(database.databaseUrl), { username: user }).href;
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: urlOfUser() });
    await client.connect();
    return client;
  };

  it('installs the schema in a database with the documented grants', async () => {
    await superuser.rows(`GRANT CREATE ON SCHEMA public TO ${user}`);
    await superuser.rows(`GRANT CREATE ON DATABASE ${nameOf(database.databaseUrl)} TO ${user}`);
    await runMigrations(urlOfUser());
    const [tables] = await superuser.rows(`SELECT to_regclass('audit_events') IS NOT NULL AS "areThere"`);
    expect(tables).toEqual({ areThere: true });
  });

  it('can restore a dump of an older database that a superuser migrated', async () => {
    await runMigrations(database.databaseUrl);
    const functions = [
      `audit_prune(interval, integer) SET ies.audit_change = 'prune'`,
      `audit_erase_account(text) SET ies.audit_change = 'erase'`,
      `audit_erase_events(text, bigint[]) SET ies.audit_change = 'erase'`,
    ];
    for (const text of functions) await superuser.rows(`ALTER FUNCTION ${text}`);
    await superuser.rows(`DELETE FROM schema_migrations WHERE name LIKE 'AuditFunctions%'`);
    const withSettings = () =>
      superuser.rows(`SELECT proname FROM pg_proc WHERE proname LIKE 'audit%' AND proconfig IS NOT NULL`);
    expect(await withSettings()).toHaveLength(3);
    await runMigrations(database.databaseUrl);
    expect(await withSettings()).toEqual([]);
  });

  it('owns an audit log that only its functions change', async () => {
    await superuser.rows(`ALTER DATABASE ${nameOf(database.databaseUrl)} OWNER TO ${user}`);
    await runMigrations(urlOfUser());
    const client = await connect();
    const addresses = async (): Promise<unknown[]> =>
      (await client.query<{ address: unknown }>('SELECT address FROM audit_events ORDER BY id')).rows.map(
        (row) => row.address,
      );
    await client.query(
      `INSERT INTO audit_events (account_id, action, actor_kind, address, created_at)
       SELECT 'acc_' || n, 'key.created', 'system', '192.0.2.' || n, now() - n * interval '1 day'
         FROM generate_series(4, 1, -1) n`,
    );

    await client.query('BEGIN');
    await client.query(
      `SELECT audit_erase_account('acc_3'), audit_erase_events('acc_2', ARRAY[1, 2, 3, 4]::bigint[])`,
    );
    expect(await addresses()).toEqual(['192.0.2.4', null, null, '192.0.2.1']);
    // The rest of the transaction may not change the log.
    await expect(
      client.query('UPDATE audit_events SET address = NULL, details = $1', ['{}']),
    ).rejects.toThrow('audit_events is append-only');
    await client.query('ROLLBACK');

    await client.query('BEGIN');
    expect((await client.query(`SELECT audit_prune('36 hours', 2) AS deleted`)).rows).toEqual([
      { deleted: 2 },
    ]);
    await expect(client.query('DELETE FROM audit_events')).rejects.toThrow('audit_events is append-only');
    await client.query('ROLLBACK');
    expect(await addresses()).toEqual(['192.0.2.4', '192.0.2.3', '192.0.2.2', '192.0.2.1']);
    await client.end();
  });
});
