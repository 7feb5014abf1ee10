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

describe('GET /api/webhooks/deliveries/:id → 200', () => {
  it('returns the same delivery as the list', async () => {
    const { id } = await harness.newEndpoint(account);
    const delivery = await harness.newDelivery(account, id);
    const { status, body } = await harness.call('GET', `/api/webhooks/deliveries/${delivery.id}`, {
      key: account.key,
    });
    expect(status).toBe(200);
    expect(body).toEqual(delivery);
    const listed = await harness.call('GET', '/api/webhooks/deliveries', { key: account.key });
    expect((listed.body as { data: unknown[] }).data).toEqual([body]);
  });

  it.each([
    ['the pause of its endpoint', 'pending', '1 hour', '2 hours', '2 hours'],
    ['its own time, when the pause ends earlier', 'pending', '2 hours', '1 hour', '2 hours'],
    ['its own time, when the pause is over', 'pending', '1 hour', '-1 hour', '1 hour'],
    ['nothing, once it has failed', 'failed', null, '1 hour', null],
  ])('shows a next attempt that waits for %s', async (_what, state, own, pause, wanted) => {
    const { id: endpointId } = await harness.newEndpoint(account);
    const { id } = await harness.newDelivery(account, endpointId);
    await harness.rows('UPDATE webhook_endpoints SET paused_until = now() + $2::interval WHERE id = $1', [
      endpointId,
      pause,
    ]);
    await harness.rows(
      `UPDATE webhook_deliveries SET status = $2, next_attempt_at = now() + $3::interval, due_at = now() + $3::interval
        WHERE id = $1`,
      [id, state, own],
    );
    const { body } = await harness.call('GET', `/api/webhooks/deliveries/${id}`, { key: account.key });
    const { nextAttemptAt } = body as { nextAttemptAt: string | null };
    const listed = await harness.call('GET', `/api/webhooks/deliveries?endpointId=${endpointId}`, {
      key: account.key,
    });
    expect((listed.body as { data: unknown[] }).data).toEqual([body]);
    if (wanted === null) expect(nextAttemptAt).toBeNull();
    else {
      const [row] = await harness.rows<{ far: number }>(
        'SELECT extract(epoch FROM $1::timestamptz - now() - $2::interval)::float8 AS far',
        [nextAttemptAt, wanted],
      );
      expect(Math.abs(row!.far)).toBeLessThan(600);
    }
  });
});
