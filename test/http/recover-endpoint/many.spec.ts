import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { lockRecovery, RECOVERED_AT_ONCE } from '../../../src/webhooks/deliveries/endpoint-recovery.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { refuseLargeChanges } from '../../support/database/large-changes.js';

/** Of each kind. The last batch is not full. */
const EACH = 2 * RECOVERED_AT_ONCE + 3;

const EVENTS = `
  INSERT INTO events (id, account_id, type, data, created_at, dispatched_at)
  SELECT 'evt_' || lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || lpad(to_hex(i), 20, '0'),
         $1, 'image.uploaded', '{}', now(), now()
    FROM generate_series(1, ${3 * EACH}) i`;

/** The first third has failed, the second waits for another attempt, and the last was never sent. */
const DELIVERIES = `
  INSERT INTO webhook_deliveries
    (id, account_id, endpoint_id, event_id, event_type, url, status, step, next_attempt_at, due_at, created_at)
  SELECT 'dlv_' || substr(id, 5), account_id, $2, id, type, 'https://a.example',
         CASE WHEN n <= ${EACH} THEN 'failed' ELSE 'pending' END, 3,
         CASE WHEN n > ${EACH} THEN now() + interval '1 hour' END,
         CASE WHEN n > ${EACH} THEN now() + interval '1 hour' END, now()
    FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM events WHERE account_id = $1) e
   WHERE n <= ${2 * EACH}`;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('POST /api/webhooks/endpoints/:id/recover recovers many deliveries, a part in each transaction', async () => {
  const account = await harness.createAccount();
  const since = new Date(Date.now() - 1_000).toISOString();
  const { id } = await harness.newEndpoint(account, { events: ['image.uploaded'] });
  await harness.rows(EVENTS, [account.id]);
  await harness.rows(DELIVERIES, [account.id, id]);
  for (const statement of refuseLargeChanges(['webhook_deliveries'], RECOVERED_AT_ONCE))
    await harness.rows(statement);
  const recover = () =>
    harness.call('POST', `/api/webhooks/endpoints/${id}/recover`, { key: account.key, json: { since } });
  // Events from before the endpoint was created are not sent to it.
  await harness.rows('UPDATE webhook_endpoints SET created_at = $2::timestamptz WHERE id = $1', [id, since]);
  expect(await recover()).toMatchObject({ status: 202, body: { deliveries: 3 * EACH } });
  const due = await harness.rows(
    `SELECT count(*)::int AS n FROM webhook_deliveries
      WHERE endpoint_id = $1 AND status = 'pending' AND step = 0 AND due_at <= now() AND next_attempt_at = due_at`,
    [id],
  );
  expect(due).toEqual([{ n: 3 * EACH }]);
  expect(await recover()).toMatchObject({ status: 202, body: { deliveries: 0 } });
});

it('POST /api/webhooks/endpoints/:id/recover is refused while another recovery of the endpoint runs', async () => {
  const account = await harness.createAccount();
  const { id } = await harness.newEndpoint(account);
  const since = new Date(Date.now() - 1_000).toISOString();
  const recover = () =>
    harness.call('POST', `/api/webhooks/endpoints/${id}/recover`, { key: account.key, json: { since } });
  await harness.app.get(Database).transaction(async (tx) => {
    // As a step does. The refused request must wait for neither lock.
    await lockRecovery(tx, account.id, id);
    await tx.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [id]);
    expect(await recover()).toMatchObject({
      status: 503,
      body: { code: 'service_unavailable', detail: expect.stringContaining('Another recovery') },
      headers: { 'retry-after': '5' },
    });
  });
  expect((await recover()).status).toBe(202);
});
