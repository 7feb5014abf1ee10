import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG } from '../../../src/config/tokens.js';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { Database } from '../../../src/infra/database/database.js';
import { KEYS_PER_BATCH } from '../../../src/infra/database/key-batches.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { MAX_FAILED } from '../../../src/webhooks/deliveries/delivery-rows.sql.js';
import { DELIVERIES_PER_TRANSACTION } from '../../../src/webhooks/endpoints/endpoints.repository.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { refuseLargeChanges } from '../../support/database/large-changes.js';
import { finish, GONE, WebhookHands } from '../../support/webhooks/webhook-hands.js';

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

const change = (method: string, id: string, json?: object) =>
  harness.call(method, `/api/webhooks/endpoints/${id}`, { key: account.key, ...(json && { json }) });

const actions = async (id: string) =>
  (
    await harness.rows<{ action: string }>(
      `SELECT action FROM audit_events WHERE target_id = $1 AND action <> 'endpoint.created' ORDER BY id`,
      [id],
    )
  ).map(({ action }) => action);

const statuses = (id: string) =>
  harness.rows<{ status: string; n: number }>(
    'SELECT status, count(*)::int AS n FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY status ORDER BY status',
    [id],
  );

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

describe('disabling an endpoint with more pending deliveries than one statement fails', () => {
  const MANY = 2 * MAX_FAILED + 1;

  it('by its owner fails all of them', async () => {
    const id = await hands.withDue(account, MANY);
    await refuseMoreThan(MAX_FAILED);
    const { status, text } = await change('PATCH', id, { enabled: false });
    await allowAll();
    expect(status, text).toBe(200);
    expect(await statuses(id)).toEqual([{ status: 'failed', n: MANY }]);
  });

  it('by an answer fails the first ones, and the dispatcher the rest', async () => {
    const id = await hands.withDue(account, MANY + 1);
    const [row] = await hands.claim(id, 1);
    await refuseMoreThan(MAX_FAILED);
    const { judged } = await hands.record([finish(row!, GONE)]);
    expect(judged).toMatchObject([{ id, disabledReason: 'gone' }]);
    expect(await statuses(id)).toEqual([
      { status: 'failed', n: MAX_FAILED + 1 },
      { status: 'pending', n: MANY - MAX_FAILED },
    ]);
    await new RetentionCleanup(
      harness.app.get(Database),
      harness.app.get(ObjectStore),
      harness.app.get(CONFIG),
    ).keep();
    await allowAll();
    expect(await statuses(id)).toEqual([{ status: 'failed', n: MANY + 1 }]);
  });
});
