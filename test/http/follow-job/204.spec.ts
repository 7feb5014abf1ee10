import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventReader } from '../../support/app/event-reader.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /api/ai/enhance/:id/events → 204', () => {
  it('for a client that already knows the final state, so that it does not reconnect', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newJob(account);
    await harness.jobs.complete(id);
    const reader = await EventReader.open(harness, account.key, id);
    await reader.ended;
    const { status } = await harness.call('GET', `/api/ai/enhance/${id}/events`, {
      key: account.key,
      headers: { 'last-event-id': reader.events.at(-1)!.id },
    });
    expect(status).toBe(204);
  });
});
