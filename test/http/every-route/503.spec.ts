import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';

let proxy: CuttableProxy;
let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({
    databaseUrl: async (real) => {
      proxy = await CuttableProxy.start(real);
      return proxy.urlOf(real);
    },
  });
  account = await harness.createAccount();
});
afterAll(async () => {
  await harness.close();
  await proxy.close();
});

/** False if the database does not answer yet. */
async function isDatabaseIdle(): Promise<boolean> {
  const rows = await harness
    .rows(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'",
    )
    .catch(() => [1]);
  return rows.length === 0;
}

describe('503 when the database is unreachable', () => {
  it('is returned by every route, until the service recovers on its own', async () => {
    const paths = new Map<string, string>();
    for (const route of KEY_ROUTES) {
      paths.set(route.operationId, await pathFor(route, harness, account));
    }
    const { id } = await harness.newSource(account);
    const result = await newResult(harness, account);
    const before = await harness.footprint();
    await proxy.cut();
    for (const path of [`/files/${id}.jpg`, `/files/${result.id}.png`]) {
      expect((await harness.call('GET', path, { key: account.key })).status).toBe(503);
    }
    for (const { method, operationId } of KEY_ROUTES) {
      const { status, body, headers } = await harness.call(method, paths.get(operationId)!, {
        key: account.key,
      });
      expect({ operationId, status, body: body as unknown, headers }).toMatchObject({
        status: 503,
        body: { code: 'service_unavailable' },
        headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
      });
    }
    const ready = await harness.call('GET', '/health/ready');
    expect(ready.status).toBe(503);
    const live = await harness.call('GET', '/health/live');
    expect(live.status).toBe(200);
    await proxy.mend();
    expect((await harness.call('GET', '/health/ready')).status).toBe(200);
    expect(await harness.footprint()).toEqual(before);
    const source = await harness.newSource(account);
    await harness.newJob(account, { sourceUrl: source.url });
  });

  it('leaves consistent data when connections break during requests', async () => {
    const source = await harness.newSource(account);
    const before = await harness.footprint();
    const running = Array.from({ length: 30 }, () =>
      harness.createJob(account.key, { sourceUrl: source.url, operation: 'upscale' }),
    );
    await running[0];
    await proxy.cut();
    const statuses = (await Promise.all(running)).map(({ status }) => status);
    await proxy.mend();
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    const created = statuses.filter((status) => status === 201).length;
    // Connections that broke while idle fail once each. PostgreSQL may still run the last statements that it received.
    const after = await vi.waitUntil(
      async () => ((await isDatabaseIdle()) ? await harness.footprint() : undefined),
      { timeout: 20_000 },
    );
    // A commit may succeed even though its response is lost, but there is never a response without its commit.
    const [row] = await harness.rows<{ jobs: number }>(
      'SELECT count(*)::int AS jobs FROM jobs WHERE source_id = $1',
      [source.id],
    );
    expect(row!.jobs).toBeGreaterThanOrEqual(created);
    expect(after.jobs - before.jobs).toBe(row!.jobs);
    expect(after.enhancementsUsed - before.enhancementsUsed).toBe(row!.jobs);
    expect(after.ledger - before.ledger).toBe(row!.jobs);
    expect(after.events - before.events).toBe(row!.jobs);
  });
});
