import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /api/ai/enhance/:id/events → 410', () => {
  it('for a deleted job', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newJob(account);
    await harness.jobs.complete(id);
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    const { status, body } = await harness.call('GET', `/api/ai/enhance/${id}/events`, { key: account.key });
    expect(status).toBe(410);
    expect(body).toMatchObject({ code: 'gone' });
  });
});
