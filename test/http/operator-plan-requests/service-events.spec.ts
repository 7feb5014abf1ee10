import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { Operators } from '../../../src/operator/operators.js';
import { serviceEvents } from '../../../src/webhooks/events/service-events.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { newMember } from '../../support/app/members.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { DAY_MS, WebhookHands } from '../../support/webhooks/webhook-hands.js';

const EVENTS = ['plan.requested', 'plan.changed', 'usage.recorded'];

let harness: Harness;
let billing: TestAccount;
let customer: TestAccount;
let hands: WebhookHands;
let others: FlowDatabase;
/** Needs its own database: it counts the events of all operators. */
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_IN_ATTEMPTS_PER_MINUTE: '1000' } });
  hands = new WebhookHands(harness);
  others = new FlowDatabase(harness.databaseUrl);
});
afterAll(async () => {
  await others.close();
  await harness.close();
});
beforeEach(async () => {
  await harness.rows('UPDATE accounts SET operator_since = NULL');
  billing = await harness.createAccount();
  await setOperator(true);
  customer = await harness.createAccount({ plan: 'free' });
});

const setOperator = (isOperator: boolean, id = billing.id) =>
  new Operators(harness.app.get(Database)).set(id, isOperator);

const create = (key: string, events: readonly string[]) =>
  harness.call('POST', '/api/webhooks/endpoints', {
    key,
    json: { url: 'https://receiver.example/hook', events },
  });

const written = (accountId = billing.id) =>
  harness.rows<{ type: string; data: Record<string, unknown> }>(
    'SELECT type, data FROM events WHERE account_id = $1 ORDER BY id',
    [accountId],
  );

async function request(plan: string): Promise<{ id: string; email: string }> {
  const browser = new DashboardClient(harness);
  const { email } = await browser.signInto(customer);
  const { status, body, text } = await browser.call('POST', '/plan-requests', { json: { plan } });
  expect(status, text).toBe(200);
  return { id: (body as { id: string }).id, email };
}

describe('events about plans', () => {
  it('are written once per operator, whatever the number of endpoints', async () => {
    for (let count = 0; count < 2; count += 1) expect((await create(billing.key, EVENTS)).status).toBe(201);
    const { id, email } = await request('business');
    await harness.accountsOf.setPlan(customer.id, 'business', { rpm: 9 });
    const account = { accountId: customer.id, accountName: email };
    const asked = { ...account, currentPlan: 'free', plan: 'business', note: null, requestedBy: email };
    expect(await written()).toEqual([
      { type: 'plan.requested', data: { planRequest: { id, ...asked, createdAt: expect.any(String) } } },
      {
        type: 'plan.changed',
        data: { plan: { ...account, from: 'free', to: 'business', limits: { rpm: 9 } } },
      },
    ]);
  });

  it('are not part of a subscription to all events', async () => {
    expect((await create(billing.key, ['*'])).status).toBe(201);
    await request('business');
    expect(await written()).toEqual([]);
  });

  it('are written only while the operator has the role', async () => {
    await create(billing.key, EVENTS);
    await setOperator(false);
    await request('business');
    expect(await written()).toEqual([]);
    await setOperator(true);
    await harness.accountsOf.setPlan(customer.id, 'personal', null);
    expect((await written()).map(({ type }) => type)).toEqual(['plan.changed']);
  });

  it.each(EVENTS)('%s cannot be chosen by a customer or with a test key', async (type) => {
    const { key: testKey } = await harness.createKey(billing, {
      livemode: false,
      scopes: ['webhook:manage'],
    });
    const { body: made } = await create(customer.key, ['job.completed']);
    const refusals = [
      await create(customer.key, ['job.completed', type]),
      await create(testKey, [type]),
      await harness.call('PATCH', `/api/webhooks/endpoints/${(made as { id: string }).id}`, {
        key: customer.key,
        json: { events: [type] },
      }),
    ];
    for (const { status, body } of refusals)
      expect([status, body]).toMatchObject([
        400,
        {
          code: 'invalid_request',
          errors: [
            {
              field: 'events',
              message:
                'Only accounts of operators of this service can choose plan.requested, plan.changed, and usage.recorded',
            },
          ],
        },
      ]);
    expect(
      await harness.rows('SELECT events FROM webhook_endpoints WHERE account_id = ANY ($1)', [
        [customer.id, billing.id],
      ]),
    ).toEqual([{ events: ['job.completed'] }]);
  });

  it('are listed only for operators', async () => {
    const types = async (key: string) => {
      const { body } = await harness.call('GET', '/api/webhooks/events', { key });
      return (body as { data: { type: string }[] }).data.map(({ type }) => type);
    };
    const seen = await types(billing.key);
    expect(seen.slice(-EVENTS.length)).toEqual(EVENTS);
    expect(await types(customer.key)).toEqual(seen.slice(0, -EVENTS.length));
  });

  it('are out of reach of members who are not operators, whatever their role', async () => {
    const { body: made } = await create(billing.key, EVENTS);
    const endpoint = `/webhooks/endpoints/${(made as { id: string }).id}`;
    const { browser, id } = await newMember(harness, billing, 'owner');
    const outcomes = async () =>
      Promise.all(
        (
          [
            ['POST', '/webhooks/endpoints', { url: 'https://other.example/hook', events: EVENTS }],
            ['PATCH', endpoint, { url: 'https://other.example/hook' }],
            ['GET', '/webhooks/deliveries', undefined],
            ['POST', '/keys', { name: 'mine', scopes: ['webhook:manage'] }],
            ['GET', '/keys', undefined],
            ['GET', '/usage', undefined],
          ] as const
        ).map(async ([method, path, json]) => (await browser.call(method, path, { json })).status),
      );
    expect(await outcomes()).toEqual([403, 403, 403, 403, 200, 200]);
    const refused = await browser.call('PATCH', endpoint, { json: { enabled: false } });
    expect(refused.body).toMatchObject({
      code: 'insufficient_role',
      role: 'owner',
      requiredPermission: 'webhooks:write',
      detail: expect.stringContaining('operator role'),
    });
    const seen = await browser.call('GET', '/session');
    expect(seen.body).toMatchObject({
      permissions: expect.not.arrayContaining(['webhooks:read', 'keys:write']),
    });
    await setOperator(true, id);
    expect(await outcomes()).toEqual([201, 200, 200, 201, 200, 200]);
  });

  it('are deleted with the role, since members can then read webhooks', async () => {
    const { body: made } = await create(billing.key, [...EVENTS, 'job.completed']);
    const { id: endpointId } = made as { id: string };
    const { browser } = await newMember(harness, billing, 'developer');
    await request('business');
    await harness.rows(
      `INSERT INTO events (id, account_id, type, data, created_at)
       VALUES ('evt_' || $1, $1, 'job.completed', '{}', now())`,
      [billing.id],
    );
    await harness.rows(
      `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, url, status, created_at)
       SELECT replace(id, 'evt_', 'dlv_'), account_id, $2, id, type, 'https://receiver.example/hook', 'failed', now()
         FROM events WHERE account_id = $1`,
      [billing.id, endpointId],
    );
    await setOperator(false);
    const { status, body } = await browser.call('GET', '/webhooks/deliveries');
    expect([status, body]).toMatchObject([200, { data: [{ eventType: 'job.completed' }] }]);
    expect((await written()).map(({ type }) => type)).toEqual(['job.completed']);
    // As after an interrupted revocation.
    await harness.rows(
      `INSERT INTO events (id, account_id, type, data, created_at) VALUES ('evt_left', $1, 'plan.requested', '{}', now())`,
      [billing.id],
    );
    await setOperator(true);
    expect((await written()).map(({ type }) => type)).toEqual(['job.completed']);
    await setOperator(false);
  });

  it('are out of reach at once, however long their deletion takes', async () => {
    const operator = await OperatorClient.start(harness);
    billing = operator.account;
    const { body: made } = await create(billing.key, EVENTS);
    const { id: endpointId } = made as { id: string };
    const { browser } = await newMember(harness, billing, 'developer');
    await request('business');
    await hands.fanOut.fanOut(100);
    const [delivery] = await harness.rows<{ id: string }>(
      `UPDATE webhook_deliveries SET due_at = now() WHERE account_id = $1 RETURNING id`,
      [billing.id],
    );
    let revoked: Promise<boolean> | undefined;
    await others.whileHeld('SELECT FROM events WHERE account_id = $1 FOR UPDATE', [billing.id], async () => {
      revoked = setOperator(false, operator.id);
      await eventually('the deletion to wait', async () => {
        const blocked = await others.blocked();
        return blocked > 0 ? { found: true } : { seen: blocked };
      });
      expect((await operator.call('GET', '/overview')).status).toBe(404);
      await harness.accountsOf.setPlan(customer.id, 'business', null);
      const list = await browser.call('GET', '/webhooks/deliveries');
      expect([list.status, list.body]).toMatchObject([200, { data: [] }]);
      for (const [method, path] of [
        ['GET', `/webhooks/deliveries/${delivery!.id}`],
        ['POST', `/webhooks/deliveries/${delivery!.id}/redeliver`],
      ] as const)
        expect((await browser.call(method, path)).status).toBe(404);
      const since = new Date(Date.now() - DAY_MS).toISOString();
      const recovery = await browser.call('POST', `/webhooks/endpoints/${endpointId}/recover`, {
        json: { since },
      });
      expect([recovery.status, recovery.body]).toMatchObject([202, { deliveries: 0 }]);
      expect(await hands.claim(endpointId, 10)).toEqual([]);
      expect(await hands.delivery(delivery!.id)).toBeUndefined();
    });
    expect(await revoked).toBe(true);
    expect(await written(billing.id)).toEqual([]);
  });

  it('are neither sent nor kept if they are written while the role is revoked', async () => {
    await create(billing.key, EVENTS);
    const { browser } = await newMember(harness, billing, 'developer');
    await harness.app.get(Database).transaction(async (tx) => {
      await serviceEvents.write(tx, 'plan.requested', {});
      expect(await setOperator(false)).toBe(true);
    });
    await hands.fanOut.fanOut(100);
    const list = await browser.call('GET', '/webhooks/deliveries');
    expect([list.status, list.body]).toMatchObject([200, { data: [] }]);
    expect(await harness.rows('SELECT FROM webhook_deliveries WHERE account_id = $1', [billing.id])).toEqual(
      [],
    );
    expect(await written()).toHaveLength(1);
    // Revoking again deletes what is left.
    expect(await setOperator(false)).toBe(false);
    expect(await written()).toEqual([]);
  });
});
