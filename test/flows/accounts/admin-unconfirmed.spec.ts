import { afterAll, beforeAll, expect, it } from 'vitest';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { FlowProxy } from '../../support/network/flow-proxy.js';
import { runAdminCommand } from '../../support/roles/admin-command.js';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';

let database: TestDatabase;
let rows: FlowDatabase;
let proxy: FlowProxy;
beforeAll(async () => {
  await ensureFlowBuild();
  database = await createTestDatabase();
  rows = new FlowDatabase(database.databaseUrl);
  proxy = await FlowProxy.start(database.databaseUrl);
  await rows.rows(`INSERT INTO accounts (id, email, plan) VALUES ('acc_1', 'a@example.org', 'free')`);
});
afterAll(async () => {
  await proxy?.close();
  await rows?.close();
  await database?.drop();
});

const setPlan = (databaseUrl: string, ...options: readonly string[]) =>
  runAdminCommand({ DATABASE_URL: databaseUrl }, 'account', 'set-plan', 'acc_1', 'business', ...options);

const changes = () => rows.rows(`SELECT details FROM audit_events WHERE action = 'plan.changed' ORDER BY id`);

it('npm run admin says that a change may have been made, and a repeated one is not written twice', async () => {
  proxy.breakAfterCommitOf('plan_change_lock');
  const broken = await setPlan(proxy.databaseUrl);
  expect(proxy.broken).toBe(1);
  expect(broken).toMatchObject({
    code: 1,
    output: expect.stringContaining('may or may not have been made. Check before you repeat') as string,
  });
  expect(broken.output).not.toContain('DATABASE_URL');
  expect(await changes()).toEqual([{ details: { from: 'free', to: 'business' } }]);

  const repeated = await setPlan(database.databaseUrl);
  expect(repeated.code, repeated.output).toBe(0);
  expect(await changes()).toHaveLength(1);
  const limited = await setPlan(database.databaseUrl, '--limits', 'rpm=9');
  expect(limited.code, limited.output).toBe(0);
  expect(await changes()).toHaveLength(2);
});
