import { expect } from 'vitest';
import type { Answer } from '../app/api-client.js';
import { DashboardClient, PASSWORD } from '../app/dashboard-client.js';
import type { Harness } from '../app/harness.js';
import { type Ceremony, SoftwareAuthenticator } from './software-authenticator.js';

/** The address of the harness, as in its `PUBLIC_URL`. */
const PARTY = { rpId: 'images.example', origin: 'https://images.example' };

export interface PasskeyUser {
  readonly id: string;
  readonly email: string;
  readonly browser: DashboardClient;
  readonly authenticator: SoftwareAuthenticator;
}

/** A user with one passkey, who is signed in to `browser`. */
export async function passkeyUser(harness: Harness, counter = 0): Promise<PasskeyUser> {
  const browser = new DashboardClient(harness);
  const { id, email } = await browser.signInto(await harness.createAccount());
  const authenticator = new SoftwareAuthenticator(counter);
  const added = await addPasskey(browser, authenticator);
  expect(added.status, added.text).toBe(201);
  return { id, email, browser, authenticator };
}

export async function addPasskey(
  browser: DashboardClient,
  authenticator: SoftwareAuthenticator,
  name = 'Laptop',
): Promise<Answer> {
  const { body, text, status } = await browser.call('POST', '/passkeys/options', {
    json: { password: PASSWORD },
  });
  expect(status, text).toBe(200);
  const { challenge } = (body as { options: { challenge: string } }).options;
  const response = authenticator.create({ ...PARTY, challenge });
  return browser.call('POST', '/passkeys', { json: { name, response } });
}

/** Requests a challenge and signs it. @param changed what the browser does differently */
export async function signedChallenge(
  browser: DashboardClient,
  authenticator: SoftwareAuthenticator,
  changed: Partial<Ceremony> = {},
): Promise<Record<string, unknown>> {
  const { body, text, status } = await browser.call('POST', '/sign-in/passkey/options', { json: {} });
  expect(status, text).toBe(200);
  const { challenge } = (body as { options: { challenge: string } }).options;
  return authenticator.get({ ...PARTY, challenge, ...changed });
}

export function sendPasskey(browser: DashboardClient, response: object): Promise<Answer> {
  return browser.call('POST', '/sign-in/passkey', { json: { response } });
}
