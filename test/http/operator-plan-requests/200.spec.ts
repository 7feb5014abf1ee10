import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlanRequestDto } from '../../../src/accounts/plans/plan-request.dto.js';
import { newId } from '../../../src/kernel/ids.js';
import type {
  ConsolePlanRequestDto,
  ConsolePlanRequestListDto,
} from '../../../src/operator/plan-requests/plan-decisions.dto.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { atTheSameTime } from '../../support/app/organization-lock.js';

let harness: Harness;
let operator: OperatorClient;
let account: TestAccount;
let owner: DashboardClient;
/** Needs its own database: it lists the requests of all accounts. */
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_IN_ATTEMPTS_PER_MINUTE: '1000' } });
  operator = await OperatorClient.start(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.rows('DELETE FROM plan_requests');
  account = await harness.createAccount({ plan: 'free' });
  owner = new DashboardClient(harness);
  await owner.signInto(account);
});

async function request(plan: string, browser = owner): Promise<PlanRequestDto> {
  const { status, body, text } = await browser.call('POST', '/plan-requests', { json: { plan } });
  expect(status, text).toBe(200);
  return body as PlanRequestDto;
}

const latest = async (): Promise<PlanRequestDto> =>
  ((await owner.call('GET', '/plan-requests/latest')).body as { request: PlanRequestDto }).request;

const approve = (id: string, json: object = {}) =>
  operator.call('POST', `/plan-requests/${id}/approve`, { json });
const decline = (id: string, reason = 'Not available in your country.') =>
  operator.call('POST', `/plan-requests/${id}/decline`, { json: { reason } });

const planOf = async () =>
  (await harness.rows('SELECT plan, limits FROM accounts WHERE id = $1', [account.id]))[0];

describe('GET /operator/api/plan-requests', () => {
  it('lists open requests, oldest first, page by page', async () => {
    const made: string[] = [];
    for (const plan of ['personal', 'business', 'enterprise']) {
      const browser = new DashboardClient(harness);
      await browser.signInto(await harness.createAccount({ plan: 'free' }));
      made.push((await request(plan, browser)).id);
    }
    const closed = await request('personal');
    await decline(closed.id);
    const seen: ConsolePlanRequestDto[] = [];
    for (let cursor = ''; ;) {
      const page = await operator.get<ConsolePlanRequestListDto>(`/plan-requests?limit=2${cursor}`);
      seen.push(...page.data);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen.map(({ id }) => id)).toEqual(made);
    expect(seen[1]).toMatchObject({ plan: 'business', currentPlan: 'free', status: 'open' });
    const refused = await operator.call('GET', '/plan-requests?cursor=x');
    expect(refused.body).toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('approving a plan request', () => {
  it('changes the plan once, even when ten operators approve it at the same time', async () => {
    const { id } = await request('business');
    const answers = await Promise.all(Array.from({ length: 10 }, () => approve(id)));
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([200, { id, status: 'approved', currentPlan: 'business' }]);
    expect(await planOf()).toEqual({ plan: 'business', limits: null });
    expect(await operator.audited(account.id)).toEqual([
      { action: 'plan.changed', details: { from: 'free', to: 'business' } },
    ]);
    expect(await latest()).toMatchObject({
      status: 'approved',
      closedAt: expect.stringMatching(/Z$/) as string,
    });
    expect((await decline(id)).body).toMatchObject({ code: 'plan_request_closed' });
  });

  it('requires limits for enterprise', async () => {
    const { id } = await request('enterprise');
    for (const json of [{}, { limits: null }, { limits: {} }])
      expect((await approve(id, json)).body).toMatchObject({
        code: 'invalid_request',
        errors: [{ field: 'limits' }],
      });
    expect(await latest()).toMatchObject({ status: 'open' });
    expect((await approve(id, { limits: { rpm: 1_200 } })).status).toBe(200);
    expect(await planOf()).toEqual({ plan: 'enterprise', limits: { rpm: 1_200 } });
  });

  it('at the same time as a cancellation lets only one of them succeed', async () => {
    const { id } = await request('personal');
    const [approved, canceled] = await atTheSameTime(harness, account.id, [
      () => approve(id),
      () => owner.call('POST', `/plan-requests/${id}/cancel`, { json: {} }),
    ]);
    const isApproved = approved!.status === 200;
    expect([approved!.status, canceled!.status]).toEqual(isApproved ? [200, 409] : [409, 204]);
    expect(await latest()).toMatchObject({ status: isApproved ? 'approved' : 'canceled' });
    expect(await planOf()).toMatchObject({ plan: isApproved ? 'personal' : 'free' });
  });
});

describe('declining a plan request', () => {
  it('gives the customer a reason, once', async () => {
    const { id } = await request('business');
    for (const reason of ['No invoice address.', 'Another reason'])
      expect((await decline(id, reason)).body).toMatchObject({ status: 'declined' });
    expect(await latest()).toMatchObject({ status: 'declined', reason: 'No invoice address.' });
    expect(await operator.audited(account.id)).toEqual([
      { action: 'plan.request_declined', details: { plan: 'business', reason: 'No invoice address.' } },
    ]);
    expect((await approve(id)).body).toMatchObject({
      code: 'plan_request_closed',
      detail: 'The request has already been declined. Nothing was changed.',
    });
    expect(await planOf()).toMatchObject({ plan: 'free' });
    expect((await request('business')).id).not.toBe(id);
  });

  it.each(['', '   ', 'x'.repeat(301)])('refuses the reason "%s"', async (reason) => {
    const { id } = await request('business');
    expect((await decline(id, reason)).body).toMatchObject({ errors: [{ field: 'reason' }] });
    expect(await latest()).toMatchObject({ status: 'open' });
  });
});

describe('a plan request', () => {
  it.each([
    ['personal', 'open'],
    ['business', 'approved'],
    ['enterprise', 'approved'],
  ] as const)('for business, when an operator sets the plan to %s, is %s', async (plan, status) => {
    await request('business');
    const limits = plan === 'enterprise' ? { rpm: 5 } : null;
    await operator.expect(200, 'PUT', `/accounts/${account.id}/plan`, { plan, limits });
    expect(await latest()).toMatchObject({ status });
  });

  it('is deleted with its account, but not with the member who made it', async () => {
    const { id } = await request('business');
    await harness.rows('UPDATE plan_requests SET requested_by = $2 WHERE id = $1', [
      id,
      (await harness.createAccount()).id,
    ]);
    await harness.rows(
      'DELETE FROM accounts WHERE id = (SELECT requested_by FROM plan_requests WHERE id = $1)',
      [id],
    );
    expect(await latest()).toMatchObject({ status: 'open', requestedBy: null });
    await harness.rows('DELETE FROM accounts WHERE id = $1', [account.id]);
    expect(await harness.rows('SELECT 1 FROM plan_requests WHERE id = $1', [id])).toEqual([]);
  });

  it('with an unknown ID is not found', async () => {
    for (const id of [newId('planRequest'), 'plr_', "plr_'"])
      for (const refused of [await approve(id), await decline(id)])
        expect([refused.status, refused.body]).toMatchObject([
          404,
          { detail: `There is no plan request "${id}". Nothing was changed.` },
        ]);
  });
});
