import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventReader } from '../../support/event-reader.js';
import { type Harness, startHarness } from '../../support/harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { MAX_WAITING_REQUESTS: '1' } });
});
afterAll(() => harness.close());

describe('GET /api/ai/enhance/:id/events → 503', () => {
  it('when too many wait already, until one of them leaves', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newJob(account);
    const first = await EventReader.open(harness, account.key, id);
    const { status, body } = await harness.call('GET', `/api/ai/enhance/${id}/events`, { key: account.key });
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable' });
    await first.leave();
    await expect
      .poll(async () => {
        const reader = await EventReader.open(harness, account.key, id);
        await reader.leave();
        return reader.answer.status;
      })
      .toBe(200);
  });
});
