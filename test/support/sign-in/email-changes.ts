import { expect } from 'vitest';
import type { Answer } from '../app/api-client.js';
import { type DashboardClient, PASSWORD } from '../app/dashboard-client.js';
import type { Harness } from '../app/harness.js';
import { mailsTo } from '../mail/outbox.js';

/** Asks for a link that changes the address of the signed-in user. */
export function requestEmailChange(
  browser: DashboardClient,
  email: string,
  password = PASSWORD,
): Promise<Answer> {
  return browser.call('POST', '/email-changes', { json: { email, password } });
}

export function completeEmailChange(browser: DashboardClient, token: string): Promise<Answer> {
  return browser.call('POST', '/email-changes/complete', { json: { token } });
}

/** The tokens of the links that wait to be sent to an address, oldest first. */
export async function emailChangeTokens(harness: Harness, email: string): Promise<string[]> {
  const mails = await mailsTo(harness, email);
  return mails.flatMap(({ text }) => /\/change-email#(\S+)/.exec(text)?.[1] ?? []);
}

/** Asks for a link to a free address. @returns its token */
export async function emailChangeToken(
  harness: Harness,
  browser: DashboardClient,
  email: string,
): Promise<string> {
  const { status, text } = await requestEmailChange(browser, email);
  expect(status, text).toBe(202);
  return (await emailChangeTokens(harness, email)).at(-1)!;
}
