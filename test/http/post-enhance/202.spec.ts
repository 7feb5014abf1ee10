import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { FlowProxy } from '../../support/network/flow-proxy.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let proxy: FlowProxy;
let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({
    databaseUrl: async (real) => {
      proxy = await FlowProxy.start(real);
      return proxy.databaseUrl;
    },
  });
  account = await harness.createAccount();
});
afterAll(async () => {
  await harness?.close();
  await proxy?.close();
});

describe('POST /api/ai/enhance → 202', () => {
  it('when the job was created but the database failed before the service could wait for it', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const broken = proxy.broken;
    proxy.breakBefore('job_find_together');
    const order = { sourceUrl, operation: 'upscale' };
    const { status, body, headers } = await harness.createJob(account.key, order, { prefer: 'wait=30' });
    expect(proxy.broken).toBe(broken + 1);
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'queued', operation: 'upscale' });
    const { id } = body as { id: string };
    expect(headers['location']).toBe(`/api/ai/enhance/${id}`);
    expect(headers).not.toHaveProperty('preference-applied');
    const polled = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    expect(polled.body).toMatchObject({ id, status: 'queued' });
  });

  it('when PostgreSQL canceled the statement that reads the created job', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const canceled = new Error('canceling statement due to statement timeout');
    vi.spyOn(harness.app.get(JobsRepository), 'read').mockRejectedValueOnce(
      Object.assign(canceled, { code: '57014' }),
    );
    const order = { sourceUrl, operation: 'upscale' };
    const { status, body } = await harness.createJob(account.key, order, { prefer: 'wait=30' });
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'queued', operation: 'upscale' });
  });
});
