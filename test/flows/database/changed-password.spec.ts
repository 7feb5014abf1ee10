import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';

describe('a password of the database that is changed on the server first', () => {
  const user = `user_${randomBytes(6).toString('hex')}`;
  let database: TestDatabase;
  let superuser: FlowDatabase;
  let service: FlowService;
  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = new FlowDatabase(database.databaseUrl);
    const url = Object.assign(new URL(database.databaseUrl), { username: user, password: 'first' });
    // A second user with the rights of the first, as docs/secrets.md describes it.
    const owner = new URL(database.databaseUrl).username;
    await superuser.rows(`CREATE ROLE ${user} LOGIN PASSWORD 'first' IN ROLE ${owner}`);
    await superuser.rows(`ALTER ROLE ${user} SET role TO ${owner}`);
    service = await FlowService.start({ databaseUrl: url.href, roles: ['api'] });
  });
  afterAll(async () => {
    await service?.close();
    await superuser.rows(`DROP ROLE ${user}`);
    await superuser.close();
    await database.drop();
  });

  it('makes requests wait with 503, and needs no restart once it is the same again', async () => {
    const client = await service.client();
    await client.upload(await solidFile(16, 16, [90, 80, 70]));
    await superuser.rows(`ALTER ROLE ${user} PASSWORD 'second'`);
    await superuser.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = '${user}'`,
    );
    const refused = await client.request('GET', '/api/ai/enhance');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    await superuser.rows(`ALTER ROLE ${user} PASSWORD 'first'`);
    await client.upload(await solidFile(16, 16, [90, 80, 71]));
  });
});
