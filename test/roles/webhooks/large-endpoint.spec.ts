import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS_PER_BATCH } from '../../../src/infra/database/key-batches.js';
import { DELIVERIES_PER_TRANSACTION } from '../../../src/webhooks/endpoints/endpoints.repository.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { refuseLargeChanges } from '../../support/database/large-changes.js';
import { WebhookHands } from '../../support/webhooks/webhook-hands.js';

const TABLES = ['webhook_deliveries', 'webhook_attempts'];

let harness: Harness;
let hands: WebhookHands;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  hands = new WebhookHands(harness);
});
beforeEach(async () => {
  await harness.rows('DELETE FROM accounts');
  account = await harness.createAccount();
});
afterAll(() => harness?.close());

/** Every change must be made by statements of at most `max` rows. */
async function refuseMoreThan(max: number): Promise<void> {
  for (const statement of refuseLargeChanges(TABLES, max)) await harness.rows(statement);
}
async function allowAll(): Promise<void> {
  await harness.rows('DROP FUNCTION IF EXISTS refuse_large CASCADE');
}

const change = (method: string, id: string) =>
  harness.call(method, `/api/webhooks/endpoints/${id}`, { key: account.key });

const actions = async (id: string) =>
  (
    await harness.rows<{ action: string }>(
      `SELECT action FROM audit_events WHERE target_id = $1 AND action <> 'endpoint.created' ORDER BY id`,
      [id],
    )
  ).map(({ action }) => action);

describe('deleting an endpoint with more deliveries than one transaction deletes', () => {
  it('deletes them in batches, disables it first, and leaves other endpoints alone', async () => {
    const many = 2 * DELIVERIES_PER_TRANSACTION + 1;
    const { id } = await harness.newEndpoint(account);
    await hands.emit(account, many);
    while ((await hands.fanOut.fanOut(KEYS_PER_BATCH)).events > 0);
    const { id: kept } = await harness.newEndpoint(account);
    const { id: keptDelivery } = await harness.newDelivery(account, kept);
    await harness.rows(
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
       SELECT id, 1, now(), 1 FROM webhook_deliveries`,
    );
    await refuseMoreThan(KEYS_PER_BATCH);
    const { status, text } = await change('DELETE', id);
    await allowAll();
    expect([status, text]).toEqual([204, '']);
    expect(await harness.rows('SELECT id FROM webhook_endpoints')).toEqual([{ id: kept }]);
    expect(await harness.rows('SELECT id FROM webhook_deliveries')).toEqual([{ id: keptDelivery }]);
    expect(await harness.rows('SELECT delivery_id AS id FROM webhook_attempts')).toEqual([
      { id: keptDelivery },
    ]);
    expect(await actions(id)).toEqual(['endpoint.disabled', 'endpoint.deleted']);
  });

  it('deletes a small one in one transaction', async () => {
    const id = await hands.withDue(account, 3);
    expect((await change('DELETE', id)).status).toBe(204);
    expect(await actions(id)).toEqual(['endpoint.deleted']);
  });
});
