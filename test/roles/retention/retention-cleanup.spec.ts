import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { Retention } from '../../../src/dispatcher/retention/retention.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { SKIPPED } from '../../../src/infra/telemetry/sweep-metrics.js';
import { newId } from '../../../src/kernel/ids.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { WebhookHands } from '../../support/webhooks/webhook-hands.js';

const DAY_MS = 24 * 3_600_000;

describe('retention cleanup', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  const retain = () =>
    new Retention(harness.app.get(Database), harness.app.get(CONFIG)).run(new AbortController().signal);

  const cleanup = () =>
    new RetentionCleanup(harness.app.get(Database), harness.app.get(ObjectStore), harness.app.get(CONFIG));

  it('reports a step that fails, runs the others, and counts no success until it is due again', async () => {
    const { id } = await harness.createAccount();
    await harness.rows(
      `INSERT INTO sessions (token_hash, account_id, expires_at) VALUES ('', $1, now() - interval '1 hour')`,
      [id],
    );
    const failing = cleanup();
    // A step before that of the sessions needs this table.
    await harness.rows('ALTER TABLE direct_uploads RENAME TO direct_uploads_away');
    try {
      await expect(failing.keep()).rejects.toThrow('direct_uploads');
    } finally {
      await harness.rows('ALTER TABLE direct_uploads_away RENAME TO direct_uploads');
    }
    expect(await harness.rows('SELECT 1 FROM sessions WHERE account_id = $1', [id])).toEqual([]);
    expect(await failing.keep()).toBe(SKIPPED);
  });

  it('deletes only events older than 30 days, in as many batches as needed', async () => {
    const account = await harness.createAccount();
    const write = async (daysAgo: number, count: number) => {
      const at = new Date(Date.now() - daysAgo * DAY_MS);
      const ids = Array.from({ length: count }, () => newId('event', at.getTime()));
      await harness.rows(
        `INSERT INTO events (id, account_id, type, data, created_at, dispatched_at)
         SELECT id, $2, 'ping', '{}', $3, $3 FROM unnest($1::text[]) AS id`,
        [ids, account.id, at],
      );
      return ids;
    };
    await write(31, 1_500);
    const young = await write(29, 2);
    await retain();
    const left = await harness.rows<{ id: string }>('SELECT id FROM events ORDER BY id');
    expect(left.map(({ id }) => id)).toEqual(young);
  });

  it('deletes only deliveries and attempts older than 30 days', async () => {
    const account = await harness.createAccount();
    const { id: endpointId } = await harness.newEndpoint(account);
    const [old, young] = [
      await harness.newDelivery(account, endpointId),
      await harness.newDelivery(account, endpointId),
    ];
    await harness.rows(
      `UPDATE webhook_deliveries SET id = $2, created_at = now() - interval '31 days', status = 'failed',
              next_attempt_at = NULL, due_at = NULL WHERE id = $1`,
      [old.id, newId('delivery', Date.now() - 31 * DAY_MS)],
    );
    await harness.rows(
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
       SELECT id, 1, now(), 1 FROM webhook_deliveries`,
    );
    // Enough copies for several batches, each with its own event.
    await harness.rows(
      `WITH e AS (INSERT INTO events (id, account_id, type, data, created_at, dispatched_at)
                  SELECT 'evt_' || lpad(n::text, 32, '0'), $1, 'ping', '{}', now() - interval '31 days', now() FROM generate_series(1, 1200) n
                  RETURNING id)
       INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, url, status, created_at)
       SELECT 'dlv_' || substr(e.id, 5), $1, $2, e.id, 'ping', 'https://receiver.example/', 'failed', now() - interval '31 days' FROM e`,
      [account.id, endpointId],
    );
    await retain();
    expect(await harness.rows('SELECT id FROM webhook_deliveries')).toEqual([{ id: young.id }]);
    expect(await harness.rows('SELECT delivery_id FROM webhook_attempts')).toEqual([
      { delivery_id: young.id },
    ]);
    expect(await harness.rows("SELECT id FROM events WHERE id < 'evt_001'")).toEqual([]);
  });

  it('fails deliveries that wait for a disabled endpoint, but not one in progress', async () => {
    const account = await harness.createAccount();
    const hands = new WebhookHands(harness);
    const [off, on] = [await hands.withDue(account, 4), await hands.withDue(account, 1)];
    const [givenBack, tried] = await hands.claim(off, 2);
    const [crashed] = await hands.claim(off, 1, 0);
    await harness.call('PATCH', `/api/webhooks/endpoints/${off}`, {
      key: account.key,
      json: { enabled: false },
    });
    await hands.claims.release([givenBack!]);
    await cleanup().keep();
    const ended = { status: 'failed', claimed: false, next_attempt_at: null, due_at: null };
    expect(await hands.delivery(givenBack!.id), 'given back after it was disabled').toMatchObject(ended);
    expect(await hands.delivery(crashed!.id), 'its dispatcher died').toMatchObject(ended);
    expect(await hands.delivery(tried!.id)).toMatchObject({ status: 'pending', claimed: true });
    const waiting = await harness.rows(
      "SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'pending'",
      [on],
    );
    expect(waiting.length).toBeGreaterThan(0);
  });

  it('leaves nothing of a deleted account', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newEndpoint(account);
    await harness.newDelivery(account, id);
    await harness.rows(
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
       SELECT id, 1, now(), 1 FROM webhook_deliveries WHERE account_id = $1`,
      [account.id],
    );
    await harness.rows('DELETE FROM accounts WHERE id = $1', [account.id]);
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'events'])
      expect(await harness.rows(`SELECT 1 FROM ${table} WHERE account_id = $1`, [account.id])).toEqual([]);
    expect(
      await harness.rows(
        'SELECT 1 FROM webhook_attempts a LEFT JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.id IS NULL',
      ),
    ).toEqual([]);
  });
});
