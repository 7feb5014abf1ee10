import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { Notifications } from '../../../src/infra/database/notifications.js';
import { DELIVERIES_DUE, WAKE_CHANNEL } from '../../../src/webhooks/deliveries/delivery-rows.sql.js';
import type { ClaimedRow } from '../../../src/webhooks/dispatch/claimed-delivery.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { finish, GONE, SILENCE, TAKEN, WebhookHands } from '../../support/webhooks/webhook-hands.js';

let harness: Harness;
let account: TestAccount;
let hands: WebhookHands;
beforeAll(async () => {
  harness = await startHarness();
  hands = new WebhookHands(harness);
});
beforeEach(async () => {
  await harness.rows('DELETE FROM accounts');
  account = await harness.createAccount();
});
afterAll(() => harness?.close());

const NEW_URL = 'https://new.example/';

async function change(id: string, json: object): Promise<void> {
  const answer = await harness.call('PATCH', `/api/webhooks/endpoints/${id}`, { key: account.key, json });
  expect(answer.status, answer.text).toBe(200);
}
const move = (id: string) => change(id, { url: NEW_URL });

/** Makes pending deliveries due now and claims one. */
async function claimedAgain(id: string): Promise<ClaimedRow | undefined> {
  await harness.rows("UPDATE webhook_deliveries SET due_at = now() WHERE status = 'pending' AND NOT claimed");
  return (await hands.claim(id, 1))[0];
}

/** As if it had failed for days and asked for a day's pause. */
async function failForDays(id: string): Promise<void> {
  await harness.rows(
    `UPDATE webhook_endpoints SET first_failure_at = now() - interval '121 hours',
       paused_until = now() + interval '1 day' WHERE id = $1`,
    [id],
  );
}

describe('the outcome for an endpoint', () => {
  it('counts from the first failure since the last success', async () => {
    const id = await hands.withDue(account, 3);
    const rows = await hands.claim(id, 3);
    const first = finish(rows[0]!, SILENCE);
    await hands.record([first]);
    expect(await hands.endpoint(id)).toMatchObject({ first_failure_at: first.startedAt, enabled: true });
    await hands.record([finish(rows[1]!, SILENCE)]);
    expect(await hands.endpoint(id)).toMatchObject({ first_failure_at: first.startedAt });
    // Claimed before the failures and answered after them, but still a success.
    await hands.record([finish(rows[2]!, TAKEN)]);
    expect(await hands.endpoint(id)).toMatchObject({ first_failure_at: null, enabled: true });
  });

  it('is a disabled endpoint when nothing but failures happened for long enough', async () => {
    const id = await hands.withDue(account, 2);
    const [row, other] = await hands.claim(id, 2);
    await harness.rows("UPDATE webhook_endpoints SET first_failure_at = now() - interval '119 hours'");
    expect((await hands.record([finish(row!, SILENCE)])).judged).toMatchObject([
      { id, disabledReason: null },
    ]);
    await harness.rows("UPDATE webhook_endpoints SET first_failure_at = now() - interval '121 hours'");
    expect((await hands.record([finish(other!, SILENCE)])).judged).toMatchObject([
      { id, disabledReason: 'failing' },
    ]);
    expect(await hands.endpoint(id)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  it('does not affect an endpoint whose URL has changed since', async () => {
    const id = await hands.withDue(account, 1);
    const [row] = await hands.claim(id, 1);
    await move(id);
    expect((await hands.record([finish(row!, GONE)])).judged).toEqual([]);
    expect(await hands.endpoint(id)).toMatchObject({ enabled: true, first_failure_at: null });
  });

  it('recorded for two URLs at once applies only to the current one', async () => {
    const id = await hands.withDue(account, 2);
    const [old] = await hands.claim(id, 1);
    await move(id);
    const [young] = await hands.claim(id, 1);
    expect(young!.destination.url).toBe(NEW_URL);
    await hands.record([finish(old!, GONE), finish(young!, SILENCE)]);
    const { first_failure_at: since, enabled } = await hands.endpoint(id);
    expect([since !== null, enabled]).toEqual([true, true]);
    await hands.record([finish((await claimedAgain(id))!, GONE)]);
    expect(await hands.endpoint(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  });

  it('fails a delivery in progress when the endpoint was disabled', async () => {
    const id = await hands.withDue(account, 1);
    const [row] = await hands.claim(id, 1);
    await change(id, { enabled: false });
    expect(await hands.delivery(row!.id), 'it is being tried').toMatchObject({ status: 'pending' });
    await hands.record([finish(row!, SILENCE)]);
    expect(await hands.delivery(row!.id)).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      next_attempt_at: null,
    });
  });

  it('waits for a locked endpoint, then disables it and fails what is pending', async () => {
    const id = await hands.withDue(account, 4);
    const [row] = await hands.claim(id, 1);
    const { recording } = await harness.app.get(Database).transaction(async (tx) => {
      await tx.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [id]);
      const started = hands.record([finish(row!, GONE)]);
      for (let blocked = 0; blocked === 0;) {
        blocked = (
          await harness.rows(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          )
        ).length;
      }
      return { recording: [started] };
    });
    expect((await recording[0]!).judged).toMatchObject([{ id, disabledReason: 'gone' }]);
    const left = await harness.rows<{ status: string }>('SELECT DISTINCT status FROM webhook_deliveries');
    expect(left).toEqual([{ status: 'failed' }]);
  });
});

describe('an endpoint with a changed URL', () => {
  it('starts fresh: failures and pauses of the old URL no longer apply', async () => {
    const id = await hands.withDue(account, 1);
    await failForDays(id);
    expect(await hands.claim(id, 1)).toEqual([]);
    await move(id);
    expect(await hands.endpoint(id)).toMatchObject({ first_failure_at: null, paused_until: null });
    const [row] = await hands.claim(id, 1);
    expect((await hands.record([finish(row!, SILENCE)])).judged).toMatchObject([
      { id, disabledReason: null },
    ]);
  });

  it('wakes the dispatchers, because waiting deliveries are now due', async () => {
    const heard: (string | null)[] = [];
    const end = harness.app.get(Notifications).subscribe(WAKE_CHANNEL, (payload) => heard.push(payload));
    await expect.poll(() => heard, { timeout: 10_000 }).toContain(null);
    const id = await hands.withDue(account, 1);
    await failForDays(id);
    await move(id);
    await expect.poll(() => heard, { timeout: 10_000 }).toContain(DELIVERIES_DUE);
    end();
  });

  it('keeps its failures and its pause when the URL is the same', async () => {
    const id = await hands.withDue(account, 1);
    await failForDays(id);
    const before = await hands.endpoint(id);
    await change(id, { url: before['url'], description: 'The same' });
    const { first_failure_at, paused_until } = before;
    expect(await hands.endpoint(id)).toMatchObject({ first_failure_at, paused_until });
  });
});
