import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
});
afterAll(() => harness.close());

describe('/dashboard/api/ai/batches', () => {
  it('behaves like the public routes', async () => {
    const { url } = await harness.newSource(account);
    const sourceUrls = Array.from({ length: 300 }, () => `${url}&padding=${'x'.repeat(100)}`);
    const made = await browser.call('POST', '/ai/batches', { json: { sourceUrls, operation: 'upscale' } });
    expect(made.status).toBe(201);
    const { id } = made.body as { id: string };
    const jobs = await harness.batchJobs(id);
    await harness.jobs.fail(jobs[7]!);
    expect((await browser.call('GET', '/ai/batches')).body).toMatchObject({
      data: [{ id, operations: [{ operation: 'upscale', level: 'medium' }] }],
    });
    expect((await browser.call('GET', `/ai/batches/${id}`)).body).toMatchObject({
      counts: { total: 300, failed: 1 },
      failures: [{ index: 7 }],
      operations: [{ operation: 'upscale', level: 'medium' }],
    });
    const failed = await browser.call('GET', `/ai/batches/${id}/jobs?status=failed`);
    expect(failed.body).toMatchObject({
      data: [
        { id: jobs[7], batchIndex: 7, sourceName: expect.any(String), thumbnailUrl: expect.any(String) },
      ],
    });
    expect((await browser.call('POST', `/ai/batches/${id}/retry`)).body).toMatchObject({
      counts: { queued: 300, failed: 0 },
    });
    expect((await browser.call('POST', `/ai/batches/${id}/cancel`)).body).toMatchObject({
      status: 'canceled',
      counts: { canceled: 300 },
    });
  });
});
