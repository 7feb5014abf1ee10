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

const redeliver = (id: string) =>
  harness.call('POST', `/api/webhooks/deliveries/${id}/redeliver`, { key: account.key });

describe('POST /api/webhooks/deliveries/:id/redeliver → 202', () => {
  it.each(['failed', 'succeeded'])('reschedules a %s delivery and keeps its attempts', async (status) => {
    const { id: endpointId } = await harness.newEndpoint(account);
    const { id } = await harness.newDelivery(account, endpointId);
    await harness.rows(
      `UPDATE webhook_deliveries SET status = $2, next_attempt_at = NULL, due_at = NULL, attempt_count = 1, step = 9
        WHERE id = $1`,
      [id, status],
    );
    const answer = await redeliver(id);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ id, status: 'pending', attemptCount: 1, deliveredAt: null });
    const { nextAttemptAt } = answer.body as { nextAttemptAt: string };
    expect(Math.abs(Date.parse(nextAttemptAt) - Date.now())).toBeLessThan(60_000);
    const rows = await harness.rows('SELECT step FROM webhook_deliveries WHERE id = $1', [id]);
    expect(rows).toEqual([{ step: 0 }]);
  });

  it('reports when it will be sent: not before the pause of the endpoint is over', async () => {
    const { id: endpointId } = await harness.newEndpoint(account);
    const { id } = await harness.newDelivery(account, endpointId);
    const [row] = await harness.rows<{ paused_until: Date }>(
      "UPDATE webhook_endpoints SET paused_until = now() + interval '1 hour' WHERE id = $1 RETURNING paused_until",
      [endpointId],
    );
    expect((await redeliver(id)).body).toMatchObject({ nextAttemptAt: row!.paused_until.toISOString() });
  });

  it('does not change a delivery that is being attempted', async () => {
    const { id: endpointId } = await harness.newEndpoint(account);
    const { id } = await harness.newDelivery(account, endpointId);
    await harness.rows(
      `UPDATE webhook_deliveries SET claimed = true, claims = 1, due_at = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect((await redeliver(id)).status).toBe(202);
    const rows = await harness.rows(
      'SELECT claimed, due_at > now() AS leased FROM webhook_deliveries WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ claimed: true, leased: true }]);
  });
});
