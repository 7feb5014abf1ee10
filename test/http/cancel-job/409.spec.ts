import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const cancel = (id: string) => harness.call('POST', `/api/ai/enhance/${id}/cancel`, { key: account.key });

describe('POST /api/ai/enhance/:id/cancel → 409', () => {
  it.each([
    ['completed', (id: string) => harness.jobs.complete(id)],
    ['failed', (id: string) => harness.jobs.fail(id)],
    ['canceled', (id: string) => cancel(id)],
  ])('when the job is already %s', async (_, end) => {
    const { id } = await harness.newJob(account);
    await end(id);
    const job = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    const before = await harness.footprint();
    const { status, body } = await cancel(id);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'job_already_finished' });
    expect(await harness.footprint()).toEqual(before);
    const again = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    expect((again.body as { status: string }).status).toBe((job.body as { status: string }).status);
  });
});
