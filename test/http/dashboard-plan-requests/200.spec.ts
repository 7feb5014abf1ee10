import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PLAN_REQUESTS_PER_DAY } from '../../../src/accounts/plans/plan-requests.service.js';
import type { PlanRequestDto } from '../../../src/accounts/plans/plan-request.dto.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { newMember } from '../../support/app/members.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { atTheSameTime } from '../../support/app/organization-lock.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
let owner: DashboardClient;
let email: string;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.createAccount({ plan: 'free' });
  owner = new DashboardClient(harness);
  ({ email } = await owner.signInto(account));
});

const post = (browser: DashboardClient, json: object) => browser.call('POST', '/plan-requests', { json });
const cancel = (browser: DashboardClient, id: string) =>
  browser.call('POST', `/plan-requests/${id}/cancel`, { json: {} });

async function latest(browser = owner): Promise<PlanRequestDto | null> {
  const { status, body, text } = await browser.call('GET', '/plan-requests/latest');
  expect(status, text).toBe(200);
  return (body as { request: PlanRequestDto | null }).request;
}

async function request(json: object, browser = owner): Promise<PlanRequestDto> {
  const { status, body, text } = await post(browser, json);
  expect(status, text).toBe(200);
  return body as PlanRequestDto;
}

const audited = () =>
  harness.rows(
    `SELECT action, actor_id AS actor, target_id AS target, details FROM audit_events
      WHERE account_id = $1 AND action LIKE 'plan.%' ORDER BY id`,
    [account.id],
  );

describe('POST /dashboard/api/plan-requests', () => {
  it('creates a request once, even when it is sent twice, and cancels it once', async () => {
    expect(await latest()).toBeNull();
    const made = await request({ plan: 'business', note: '  For the shop. ' });
    expect(made).toEqual({
      id: expect.stringMatching(/^plr_[0-9a-f]{32}$/) as string,
      plan: 'business',
      note: 'For the shop.',
      requestedBy: email,
      createdAt: expect.stringMatching(/Z$/) as string,
      status: 'open',
      closedAt: null,
      reason: null,
    });
    expect(await request({ plan: 'business', note: 'For the shop.' })).toEqual(made);
    expect(await latest()).toEqual(made);
    const other = await post(owner, { plan: 'personal' });
    expect([other.status, other.body]).toMatchObject([409, { code: 'plan_request_open' }]);
    for (let time = 0; time < 2; time += 1) expect((await cancel(owner, made.id)).status).toBe(204);
    expect(await latest()).toMatchObject({ id: made.id, status: 'canceled', reason: null });
    const target = { actor: account.id, target: made.id, details: { plan: 'business' } };
    expect(await audited()).toEqual([
      { action: 'plan.requested', ...target },
      { action: 'plan.request_canceled', ...target },
    ]);
    expect(await request({ plan: 'personal', note: '' })).toMatchObject({ plan: 'personal', note: null });
  });

  it('creates one request when ten arrive at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(owner, { plan: 'personal', note: null })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ body }) => (body as PlanRequestDto).id)).size).toBe(1);
    expect(await audited()).toHaveLength(1);
    expect(
      await harness.rows('SELECT 1 FROM plan_requests WHERE account_id = $1', [account.id]),
    ).toHaveLength(1);
  });

  it.each([
    [{ plan: 'free' }, 'plan'],
    [{ plan: 'gold' }, 'plan'],
    [{}, 'plan'],
    [{ plan: 'business', note: 'x'.repeat(501) }, 'note'],
  ])('refuses %j', async (json, field) => {
    const { status, body } = await post(owner, json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
  });

  it('refuses a plan that is not above the current one', async () => {
    await harness.accountsOf.setPlan(account.id, 'business', null);
    for (const plan of ['personal', 'business'])
      expect((await post(owner, { plan })).body).toMatchObject({
        code: 'invalid_request',
        errors: [{ field: 'plan', message: 'plan must be above the current plan, which is business' }],
      });
    expect(await request({ plan: 'enterprise' })).toMatchObject({ plan: 'enterprise' });
  });

  it('refuses more than a few requests per day', async () => {
    for (let time = 0; time < MAX_PLAN_REQUESTS_PER_DAY; time += 1)
      await cancel(owner, (await request({ plan: 'personal' })).id);
    const refused = await post(owner, { plan: 'personal' });
    expect(refused.body).toMatchObject({ code: 'too_many_attempts' });
    expect(refused.headers['retry-after']).toBe('3600');
  });

  it('is allowed for owners and billing members; every member can read the request', async () => {
    const billing = await newMember(harness, account, 'billing');
    const made = await request({ plan: 'personal' }, billing.browser);
    expect(made.requestedBy).toBe(billing.email);
    for (const role of ['admin', 'developer', 'viewer'] as const) {
      const { browser } = await newMember(harness, account, role);
      for (const refused of [await post(browser, { plan: 'personal' }), await cancel(browser, made.id)])
        expect([refused.status, refused.body]).toMatchObject([
          403,
          { code: 'insufficient_role', requiredPermission: 'plan:request' },
        ]);
      expect(await latest(browser)).toEqual(made);
    }
    expect((await cancel(billing.browser, made.id)).status).toBe(204);
  });

  it('refuses a member who loses the role meanwhile', async () => {
    const { browser, id } = await newMember(harness, account, 'billing');
    const [removed, refused] = await atTheSameTime(harness, account.id, [
      () => owner.call('DELETE', `/members/${id}`),
      () => post(browser, { plan: 'personal' }),
    ]);
    expect(removed!.status).toBe(204);
    // Depends on which of the two requests got the lock first.
    expect([200, 403]).toContain(refused!.status);
    expect((await latest()) === null).toBe(refused!.status === 403);
  });

  it('does not find requests of another organization', async () => {
    const made = await request({ plan: 'personal' });
    const stranger = new DashboardClient(harness);
    await stranger.signInto(await harness.createAccount());
    expect(await latest(stranger)).toBeNull();
    for (const id of [made.id, 'plr_', "plr_'"]) {
      const { status, body } = await cancel(stranger, id);
      expect([status, body]).toMatchObject([404, { code: 'not_found' }]);
    }
    expect(await latest()).toMatchObject({ status: 'open' });
  });

  it('lets an operator who is signed in as the customer read, but not create or cancel a request', async () => {
    const made = await request({ plan: 'personal' });
    const operator = await OperatorClient.start(harness);
    await operator.expect(200, 'POST', `/accounts/${account.id}/sign-in-as`, { reason: 'Ticket 1' });
    await operator.browser.call('GET', '/session');
    expect(await latest(operator.browser)).toEqual(made);
    for (const refused of [
      await cancel(operator.browser, made.id),
      await post(operator.browser, { plan: 'business' }),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: 'read_only_session' } });
    expect(await latest()).toMatchObject({ status: 'open' });
  });
});
