import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Operators } from '../../../src/operator/operators.js';
import { Database } from '../../../src/infra/database/database.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { OPERATOR_ROUTES } from '../../support/app/dashboard-routes.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
let customer: DashboardClient;
let operator: DashboardClient;
let operators: Operators;
let operatorId: string;
beforeAll(async () => {
  harness = await sharedHarness();
  operators = new Operators(harness.app.get(Database));
  account = await harness.createAccount();
  customer = new DashboardClient(harness);
  await customer.signInto(account);
  operator = new DashboardClient(harness);
  operatorId = (await operator.signInto(await harness.createAccount())).id;
  await operators.set(operatorId, true);
});
afterAll(() => harness.close());

const asked = (browser: DashboardClient) => ({
  headers: { cookie: browser.cookie!, 'x-csrf-token': browser.csrfToken! },
});

describe.each(OPERATOR_ROUTES)('$method $path', ({ method, path }) => {
  it('refuses requests without a session, and every API key', async () => {
    const { headers } = asked(operator);
    for (const given of [{}, { 'x-api-key': account.key }, { ...headers, 'x-api-key': account.key }]) {
      const answer = await harness.call(method, path, { headers: given });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'not_signed_in' });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('is not found for a customer', async () => {
    const { status, body } = await harness.call(method, path, asked(customer));
    expect({ status, body: body as unknown }).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'This route does not exist. See /docs for all routes.' },
    });
  });

  it('admits an operator until the role is revoked, in the same session', async () => {
    const isKnown = async () =>
      !JSON.stringify((await ask()).body ?? '').includes('This route does not exist');
    const ask = () => harness.call(method, path, asked(operator));
    const { status, text } = await ask();
    // An unknown ID or a missing body may still be refused.
    expect(path.includes('{') ? [400, 404] : [200, 400], text).toContain(status);
    expect(await isKnown()).toBe(true);
    await operators.set(operatorId, false);
    expect(await isKnown()).toBe(false);
    await operators.set(operatorId, true);
  });
});

describe('the operator role', () => {
  it('is part of the session, and is recorded once when it is granted several times', async () => {
    const session = async (browser: DashboardClient) =>
      (await browser.call('GET', '/session')).body as { user: { operator: boolean } };
    expect((await session(customer)).user.operator).toBe(false);
    expect((await session(operator)).user.operator).toBe(true);
    const { id } = await harness.createAccount();
    expect(await Promise.all([1, 2, 3].map(() => operators.set(id, true)))).toContain(true);
    expect(await operators.set(id, true)).toBe(false);
    expect((await operators.list()).map(({ accountId }) => accountId)).toContain(id);
    const events = await harness.rows(
      'SELECT action FROM audit_events WHERE account_id = $1 AND action ~ $2',
      [id, '^operator'],
    );
    expect(events).toEqual([{ action: 'operator.granted' }]);
  });

  it('belongs to the user: organization members do not get it, and operators keep it elsewhere', async () => {
    const member = new DashboardClient(harness);
    const { id } = await member.signInto(await harness.createAccount());
    const isOperator = async (browser: DashboardClient, organization: string, user: string) => {
      await harness.rows(
        `INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'admin') ON CONFLICT DO NOTHING`,
        [organization, user],
      );
      await harness.rows('UPDATE sessions SET current_account_id = $1 WHERE account_id = $2', [
        organization,
        user,
      ]);
      return (await harness.call('GET', '/operator/api/history', asked(browser))).status === 200;
    };
    expect(await isOperator(member, operatorId, id)).toBe(false);
    expect(await isOperator(operator, account.id, operatorId)).toBe(true);
  });

  it('does not open unknown routes under /operator', async () => {
    const { status } = await harness.call('GET', '/operator/api/nothing', asked(operator));
    expect(status).toBe(404);
  });
});
