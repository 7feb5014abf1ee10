import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { runAdminCommand } from '../../support/roles/admin-command.js';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { createEmptyDatabase, createTestDatabase } from '../../support/database/postgres.js';
import { FlowDatabase } from '../../support/database/flow-database.js';

it('a worker that cannot reach its database exits with code 1 and prints only that error', async () => {
  const databaseUrl = `postgresql://nobody:secret@127.0.0.1:${await freePort()}/nothing`;
  const failure = await FlowService.start({ roles: ['worker'], databaseUrl }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failure).toContain('the worker ended with exit code 1');
  expect(failure).toContain('The worker could not start');
  expect(failure).not.toContain('device thread');
});

it('an api whose port is in use says which variable to change, and prints no stack', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const failure = await FlowService.start({ roles: ['api'], env: { PORT: String(port) } }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(failure).toContain('the api ended with exit code 1');
  expect(failure).toContain(
    `Port ${port} of 127.0.0.1 is already in use. Stop the process that uses it, or set another port, such as PORT=`,
  );
  expect(failure).not.toMatch(/^ +at /m);
});

it('an administration command for a database that does not exist says so in one line', async () => {
  await ensureFlowBuild();
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const wrong = new URL(database.databaseUrl);
  wrong.pathname = '/missing';
  expect(await runAdminCommand({ DATABASE_URL: wrong.href }, 'overview')).toEqual({
    code: 1,
    output:
      'The database refuses the connection (database "missing" does not exist). Check user, password and name of the database in DATABASE_URL.\n',
  });
});

it('a migration that the database does not let its user make says so in one line', async () => {
  await ensureFlowBuild();
  const database = await createEmptyDatabase();
  const superuser = new FlowDatabase(database.databaseUrl);
  const user = new URL(database.databaseUrl);
  user.username = `user_${randomBytes(6).toString('hex')}`;
  await superuser.rows(`CREATE ROLE ${user.username} LOGIN PASSWORD '${user.password}'`);
  onTestFinished(async () => {
    await superuser.rows(`DROP ROLE ${user.username}`);
    await superuser.close();
    await database.drop();
  });
  expect(await runAdminCommand({ DATABASE_URL: user.href }, 'migrate')).toEqual({
    code: 1,
    output:
      'The database does not let its user do this (permission denied for schema public). Let its user own the database, or grant what docs/postgresql.md lists.\n',
  });
});
