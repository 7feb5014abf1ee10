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

const call = (method: string, path: string, json?: object) =>
  harness.call(method, `/api/webhooks${path}`, { key: account.key, ...(json === undefined ? {} : { json }) });

describe('POST /api/webhooks/endpoints/:id/recover → 202', () => {
  it('schedules deliveries that failed since then, and writes those missed while disabled', async () => {
    const since = new Date().toISOString();
    const { id } = await harness.newEndpoint(account, { events: ['image.uploaded'] });
    const failed = await harness.newDelivery(account, id);
    await call('PATCH', `/endpoints/${id}`, { enabled: false });
    const { id: sourceId } = await harness.newSource(account);
    // As the dispatcher does when no enabled endpoint wants the events.
    await harness.rows('UPDATE events SET dispatched_at = now() WHERE dispatched_at IS NULL');
    await call('PATCH', `/endpoints/${id}`, { enabled: true });
    const answer = await call('POST', `/endpoints/${id}/recover`, { since });
    expect([answer.status, answer.body]).toEqual([202, { deliveries: 2 }]);
    const { body } = await call('GET', `/deliveries?endpointId=${id}`);
    const { data } = body as { data: { id: string; status: string; eventType: string; eventId: string }[] };
    expect(data.map(({ status }) => status)).toEqual(['pending', 'pending']);
    expect(data.map(({ eventType }) => eventType).toSorted()).toEqual(['image.uploaded', 'ping']);
    expect(data.find(({ eventType }) => eventType === 'ping')!.id).toBe(failed.id);
    const missed = data.find(({ eventType }) => eventType === 'image.uploaded')!;
    const [event] = await harness.rows<{ id: string }>(
      "SELECT data->'upload'->>'id' AS id FROM events WHERE id = $1",
      [missed.eventId],
    );
    expect(event!.id).toBe(sourceId);
  });

  it('skips earlier failures and successful deliveries', async () => {
    const { id } = await harness.newEndpoint(account);
    const old = await harness.newDelivery(account, id);
    const since = new Date(Date.now() + 1).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const arrived = await harness.newDelivery(account, id);
    await harness.rows(
      `UPDATE webhook_deliveries SET status = CASE id WHEN $1 THEN 'failed' ELSE 'succeeded' END,
         next_attempt_at = NULL, due_at = NULL WHERE id IN ($1, $2)`,
      [old.id, arrived.id],
    );
    const answer = await call('POST', `/endpoints/${id}/recover`, { since });
    expect(answer.body).toEqual({ deliveries: 0 });
  });
});
