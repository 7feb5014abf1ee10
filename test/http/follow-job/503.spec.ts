import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobChanges } from '../../../src/jobs/updates/job-changes.js';
import { EventReader } from '../../support/app/event-reader.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { MAX_WAITING_REQUESTS: '3', MAX_WAITING_REQUESTS_PER_ACCOUNT: '2' } });
});
afterAll(() => harness.close());

/** Follows a new job. */
async function follow(account: TestAccount): Promise<EventReader> {
  const { id } = await harness.newJob(account);
  return EventReader.open(harness, account.key, id);
}

describe('GET /api/ai/enhance/:id/events → 503', () => {
  it('when an account has too many streams, until one ends; other accounts are not affected', async () => {
    const [account, other] = [await harness.createAccount(), await harness.createAccount()];
    const [first, second] = [await follow(account), await follow(account)];
    const { id } = await harness.newJob(account);
    const refused = await harness.call('GET', `/api/ai/enhance/${id}/events`, { key: account.key });
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.body).toMatchObject({
      code: 'service_unavailable',
      detail: expect.stringContaining('for this account') as string,
    });
    // A request that would wait for the job is answered at once instead.
    const { status, headers } = await harness.call('GET', `/api/ai/enhance/${id}`, {
      key: account.key,
      headers: { prefer: 'wait=30' },
    });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('preference-applied');

    const third = await follow(other);
    expect(third.answer.status).toBe(200);
    // Now the limit of the process is reached, for every account.
    const full = await follow(other);
    expect(full.answer.status).toBe(503);
    for (const reader of [first, third]) await reader.leave();
    for (const who of [account, other]) {
      await expect
        .poll(async () => {
          const reader = await follow(who);
          await reader.leave();
          return reader.answer.status;
        })
        .toBe(200);
    }
    await second.leave();
  });

  it('when the process is shutting down, with that reason', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newJob(account);
    harness.app.get(JobChanges).onModuleDestroy();
    const { status, headers, body } = await harness.call('GET', `/api/ai/enhance/${id}/events`, {
      key: account.key,
    });
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('5');
    expect((body as { detail: string }).detail).toMatch(/^This server is shutting down/);
  });
});
