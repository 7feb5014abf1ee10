import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { LastBatches } from '../../../src/models/serving/last-batches.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { AvailableOperations } from '../../../src/models/serving/available-operations.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
});
afterAll(() => harness.close());

interface Model {
  readonly operation: string;
  readonly card: string;
  readonly license: string;
  readonly model: { name: string; sha256: string };
  readonly recent: object;
}

describe('GET /dashboard/api/models', () => {
  it('describes the model behind each operation, with its model card', async () => {
    const { body } = await browser.call('GET', '/models');
    const { data } = body as { data: Model[] };
    expect(data.map(({ operation }) => operation)).toEqual([
      'auto_enhance',
      'bg_remove',
      'smooth_skin',
      'upscale',
    ]);
    for (const { operation, card, license, model } of data) {
      expect(card, operation).toMatch(/^#/);
      expect(license, operation).toBe('Apache-2.0');
      expect(model.sha256, operation).toMatch(/^[0-9a-f]{64}$/);
    }
    const { body: offered } = await browser.call('GET', '/ai/operations');
    const there = await harness.call('GET', '/api/ai/operations', { key: account.key });
    expect(offered).toEqual(there.body);
  });

  it('says how the account’s last jobs went', async () => {
    const none = { completed: 0, failed: 0, device: null, inferenceMsMedian: null, lastAt: null };
    const recentOf = async (operation: string): Promise<object | undefined> => {
      const { data } = (await browser.call('GET', '/models')).body as { data: Model[] };
      return data.find((model) => model.operation === operation)?.recent;
    };
    expect(await recentOf('upscale')).toEqual(none);
    for (const _ of [1, 2]) await harness.jobs.complete((await harness.newJob(account)).id);
    await harness.jobs.fail((await harness.newJob(account)).id);
    await browser.call('POST', `/ai/enhance/${(await harness.newJob(account)).id}/cancel`);
    await harness.newJob(account);
    expect(await recentOf('upscale')).toEqual({
      completed: 2,
      failed: 1,
      device: 'cpu',
      inferenceMsMedian: 2,
      lastAt: expect.stringMatching(/Z$/) as string,
    });
    expect(await recentOf('bg_remove')).toEqual(none);
  });

  it('summarizes the latest batches of all workers, without naming a single worker', async () => {
    const workers = new ModelWorkersRepository(harness.app.get(Database));
    const operations = harness.app.get(AvailableOperations).operations();
    const run = { stageId: 'upscale/1/render', size: 4, end: 'done' } as const;
    for (const [id, device, items] of [
      ['wrk_a', 'cpu', 1],
      ['wrk_b', 'cuda:0', 2],
      ['wrk_c', 'cuda:0', 4],
    ] as const) {
      const said = { host: 'here', pid: 1, versions: [], refusals: [], kinds: [] };
      await workers.announce({ id, device, operations, ...said });
      const batches = new LastBatches();
      for (let count = 0; count < 7; count += 1) batches.onRun({ ...run, items, runMs: 10 * items + count });
      const requests = await workers.seen(id, batches.all(), { memoryBytes: 1, gpus: [] });
      expect(requests).toEqual({ wanted: 'serve', chosen: [] });
      await sleep(5);
    }
    const { data } = (await browser.call('GET', '/models')).body as {
      data: { operation: string; lastBatches: object[] }[];
    };
    const of = (name: string) => data.find(({ operation }) => operation === name)?.lastBatches;
    expect(of('bg_remove')).toEqual([]);
    const stage = { stage: 'render', version: 1 };
    expect(of('upscale')).toEqual([
      { ...stage, device: 'cpu', batches: 7, filled: 0.3, runMsMedian: 13 },
      // The ten newest of both workers: seven full ones, three half full.
      { ...stage, device: 'cuda:0', batches: 10, filled: 0.9, runMsMedian: 42 },
    ]);
    expect((await harness.call('GET', '/health/models')).text).not.toContain('lastBatches');
  });
});
