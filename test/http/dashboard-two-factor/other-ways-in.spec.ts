import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TemporaryPasswordDto } from '../../../src/operator/accounts/console-account.dto.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { DASHBOARD_ROUTES } from '../../support/app/dashboard-routes.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { addPasskey, passkeyUser, sendPasskey, signedChallenge } from '../../support/sign-in/passkey-user.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';
import { enterCode, halfSignedIn, twoFactorUser } from '../../support/sign-in/two-factor-user.js';

const NEW_PASSWORD = 'another cow jumped over the sun';

let harness: Harness;
let operator: OperatorClient;
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_IN_ATTEMPTS_PER_MINUTE: '1000' } });
  operator = await OperatorClient.start(harness);
});
afterAll(() => harness.close());

/** Enters only the password. @returns whether that was enough, or a code is required */
async function afterPassword(email: string, password: string): Promise<object> {
  const browser = new DashboardClient(harness);
  const { status, text, body } = await browser.call('POST', '/sign-in', { json: { email, password } });
  expect(status, text).toBe(200);
  const { user, secondFactorRequired } = body as { user: object | null; secondFactorRequired: boolean };
  return { isSignedIn: user !== null, secondFactorRequired };
}

const codeRequired = { isSignedIn: false, secondFactorRequired: true };

describe('the second factor is required', () => {
  it('after a password reset with a link, which also ends sign-ins that wait for a code', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    const pending = await halfSignedIn(harness, email);
    const token = await harness.accountsOf.issueResetToken(id);
    const browser = new DashboardClient(harness);
    const json = { token, newPassword: NEW_PASSWORD };
    const answer = await browser.call('POST', '/password-resets/complete', { json });
    expect(answer.status, answer.text).toBe(204);
    expect((await enterCode(pending, app.code())).body).toMatchObject({ code: 'sign_in_expired' });
    expect(await afterPassword(email, NEW_PASSWORD)).toEqual(codeRequired);
  });

  it('after a temporary password, and after its replacement', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    const { password } = await operator.expect<TemporaryPasswordDto>(
      200,
      'POST',
      `/accounts/${id}/reset-password`,
    );
    expect(await afterPassword(email, password)).toEqual(codeRequired);
    const browser = new DashboardClient(harness);
    await browser.call('POST', '/sign-in', { json: { email, password } });
    expect((await enterCode(browser, app.code())).status).toBe(200);
    await browser.call('GET', '/session');
    const json = { currentPassword: password, newPassword: NEW_PASSWORD };
    expect((await browser.call('POST', '/account/password', { json })).status).toBe(200);
    expect(await afterPassword(email, NEW_PASSWORD)).toEqual(codeRequired);
  });

  it('no longer after an operator resets it; operators cannot reset their own', async () => {
    const { id, email } = await twoFactorUser(harness);
    const path = `/accounts/${id}/reset-two-factor`;
    expect(await operator.get(`/accounts/${id}`)).toMatchObject({ hasTwoFactor: true });
    expect(await operator.expect(200, 'POST', path)).toMatchObject({ hasTwoFactor: false });
    expect(await operator.expect(200, 'POST', path)).toMatchObject({ hasTwoFactor: false });
    expect(await operator.audited(id)).toEqual([{ action: 'two_factor.reset', details: {} }]);
    expect(await afterPassword(email, PASSWORD)).toEqual({ isSignedIn: true, secondFactorRequired: false });
    expect(await harness.rows('SELECT 1 FROM recovery_codes WHERE account_id = $1', [id])).toEqual([]);
    const own = await operator.call('POST', `/accounts/${operator.id}/reset-two-factor`);
    expect(own.body).toMatchObject({ status: 409, code: 'own_account' });
  });

  it('but not for an unfinished setup, which a reset leaves alone', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.signInto(await harness.createAccount());
    await browser.call('POST', '/two-factor/setup', { json: { password: PASSWORD } });
    expect(await operator.expect(200, 'POST', `/accounts/${id}/reset-two-factor`)).toMatchObject({
      hasTwoFactor: false,
    });
    expect(await operator.audited(id)).toEqual([]);
  });
});

describe('a suspended user', () => {
  it('learns why after the password, and cannot continue with a code', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    const pending = await halfSignedIn(harness, email);
    await operator.expect(200, 'POST', `/accounts/${id}/suspend`, { reason: 'Unpaid invoice' });
    expect((await enterCode(pending, app.code())).body).toMatchObject({ code: 'sign_in_expired' });
    const json = { email, password: PASSWORD };
    const { body } = await new DashboardClient(harness).call('POST', '/sign-in', { json });
    expect(body).toMatchObject({ code: 'account_suspended' });
  });

  it('learns why after a passkey', async () => {
    const { id, authenticator } = await passkeyUser(harness);
    await operator.expect(200, 'POST', `/accounts/${id}/suspend`, { reason: 'Unpaid invoice' });
    const browser = new DashboardClient(harness);
    const answer = await sendPasskey(browser, await signedChallenge(browser, authenticator));
    expect(answer.body).toMatchObject({
      code: 'account_suspended',
      detail: expect.stringContaining('Unpaid invoice') as string,
    });
    expect(browser.cookie).toBeUndefined();
  });
});

describe('an operator who is signed in as a customer', () => {
  it('can neither see nor change how the customer signs in', async () => {
    const customer = await twoFactorUser(harness);
    await addPasskey(customer.browser, new SoftwareAuthenticator());
    const support = await OperatorClient.start(harness);
    await support.expect(200, 'POST', `/accounts/${customer.id}/sign-in-as`, { reason: 'Ticket 4711' });
    const { browser } = support;
    await browser.call('GET', '/session');
    expect((await browser.call('GET', '/two-factor')).body).toMatchObject({ enabled: false });
    expect((await browser.call('GET', '/passkeys')).body).toEqual({ data: [] });
    const changes = DASHBOARD_ROUTES.filter(
      ({ method, path }) => method !== 'GET' && /\/api\/(two-factor|passkeys)/.test(path),
    );
    expect(changes.length).toBeGreaterThan(7);
    for (const { method, path } of changes) {
      const own = path.replace('/dashboard/api', '').replace('{id}', '0'.repeat(32));
      const { body } = await browser.call(method, own, { json: { password: PASSWORD, code: '123456' } });
      expect(body, `${method} ${path}`).toMatchObject({ code: 'read_only_session' });
    }
    expect((await customer.browser.call('GET', '/two-factor')).body).toMatchObject({ enabled: true });
  });
});

describe('in an organization', () => {
  it('two-factor authentication belongs to the user, and the organization has none', async () => {
    const { browser, email } = await twoFactorUser(harness);
    const made = await browser.call('POST', '/organizations', { json: { name: 'Shop' } });
    expect(made.status, made.text).toBe(201);
    const { id } = (made.body as { account: { id: string } }).account;
    await browser.call('GET', '/session');
    expect((await browser.call('GET', '/two-factor')).body).toMatchObject({ enabled: true });
    expect(await operator.get(`/accounts/${id}`)).toMatchObject({ hasTwoFactor: false });
    expect(await operator.expect(200, 'POST', `/accounts/${id}/reset-two-factor`)).toMatchObject({ id });
    expect(await afterPassword(email, PASSWORD)).toEqual(codeRequired);
  });
});
