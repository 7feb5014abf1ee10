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

describe('POST /api/webhooks/endpoints/:id/ping → 202', () => {
  it('writes a ping for this endpoint only, whatever event types it chose', async () => {
    const { id } = await harness.newEndpoint(account, { events: ['quota.exceeded'] });
    await harness.newEndpoint(account);
    const answer = await harness.call('POST', `/api/webhooks/endpoints/${id}/ping`, { key: account.key });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^dlv_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/) as unknown,
      eventId: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as unknown,
      eventType: 'ping',
      endpointId: id,
      url: 'https://receiver.example/hook',
      status: 'pending',
      attemptCount: 0,
      deliveredAt: null,
      attempts: [],
    });
    const { body } = await harness.call('GET', '/api/webhooks/deliveries', { key: account.key });
    expect((body as { data: unknown[] }).data).toEqual([answer.body]);
  });

  it('reports when it will be sent: not before the pause of the endpoint is over', async () => {
    const { id } = await harness.newEndpoint(account);
    const [row] = await harness.rows<{ paused_until: Date }>(
      "UPDATE webhook_endpoints SET paused_until = now() + interval '1 hour' WHERE id = $1 RETURNING paused_until",
      [id],
    );
    const answer = await harness.call('POST', `/api/webhooks/endpoints/${id}/ping`, { key: account.key });
    expect(answer.body).toMatchObject({ nextAttemptAt: row!.paused_until.toISOString() });
  });

  it('is written once for an Idempotency-Key', async () => {
    const { id } = await harness.newEndpoint(account);
    const ping = () =>
      harness.call('POST', `/api/webhooks/endpoints/${id}/ping`, {
        key: account.key,
        headers: { 'idempotency-key': 'ping-once' },
      });
    const [first, second] = [await ping(), await ping()];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    const rows = await harness.rows('SELECT id FROM webhook_deliveries WHERE endpoint_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });
});
