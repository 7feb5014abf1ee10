import { expect } from 'vitest';
import { AuthenticatorApp } from './authenticator-app.js';
import type { Answer } from '../app/api-client.js';
import { DashboardClient, PASSWORD } from '../app/dashboard-client.js';
import type { Harness } from '../app/harness.js';

/** A user with two-factor authentication, who is signed in to `browser`. */
export interface TwoFactorUser {
  readonly id: string;
  readonly email: string;
  readonly browser: DashboardClient;
  readonly app: AuthenticatorApp;
  readonly recoveryCodes: readonly string[];
}

export async function twoFactorUser(harness: Harness): Promise<TwoFactorUser> {
  const browser = new DashboardClient(harness);
  const { id, email } = await browser.signInto(await harness.createAccount());
  return { id, email, browser, ...(await turnOnTwoFactor(harness, browser, id)) };
}

/** Turns on two-factor authentication for the user of `browser`. */
export async function turnOnTwoFactor(
  harness: Harness,
  browser: DashboardClient,
  id: string,
): Promise<Pick<TwoFactorUser, 'app' | 'recoveryCodes'>> {
  const setup = await browser.call('POST', '/two-factor/setup', { json: { password: PASSWORD } });
  expect(setup.status, setup.text).toBe(200);
  const app = new AuthenticatorApp((setup.body as { secret: string }).secret);
  const enabled = await browser.call('POST', '/two-factor/enable', { json: { code: app.code() } });
  expect(enabled.status, enabled.text).toBe(200);
  await forgetUsedCodes(harness, id);
  return { app, recoveryCodes: (enabled.body as { codes: string[] }).codes };
}

/** Lets used codes count as expired: a test cannot wait for the next one. */
export async function forgetUsedCodes(harness: Harness, accountId: string): Promise<void> {
  await harness.rows(
    'UPDATE two_factor_secrets SET last_step = 0, failed_attempts = 0, blocked_until = NULL WHERE account_id = $1',
    [accountId],
  );
}

/** A browser that has entered the right password and waits for the code. */
export async function halfSignedIn(harness: Harness, email: string): Promise<DashboardClient> {
  const browser = new DashboardClient(harness);
  const answer = await browser.call('POST', '/sign-in', { json: { email, password: PASSWORD } });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({ account: null, csrfToken: null, secondFactorRequired: true });
  return browser;
}

export function enterCode(browser: DashboardClient, code: string): Promise<Answer> {
  return browser.call('POST', '/sign-in/two-factor', { json: { code } });
}
