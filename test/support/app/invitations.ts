import { expect } from 'vitest';
import type { Role } from '../../../src/kernel/accounts/roles.js';
import type { DashboardClient } from './dashboard-client.js';

export interface CreatedInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly url: string;
  /** The token in the link. */
  readonly token: string;
}

const tokenOf = (url: string): string => new URL(url).hash.slice(1);

/** Invites an address to the current organization of the browser. */
export async function invite(
  browser: DashboardClient,
  email: string,
  role: Role = 'developer',
): Promise<CreatedInvitation> {
  const { status, body, text } = await browser.call('POST', '/invitations', { json: { email, role } });
  expect(status, text).toBe(201);
  const made = body as Omit<CreatedInvitation, 'token'>;
  return { ...made, token: tokenOf(made.url) };
}

/** Replaces the link of an invitation. */
export async function renew(browser: DashboardClient, id: string): Promise<CreatedInvitation> {
  const { status, body, text } = await browser.call('POST', `/invitations/${id}/renew`, { json: {} });
  expect(status, text).toBe(201);
  const made = body as Omit<CreatedInvitation, 'token'>;
  return { ...made, token: tokenOf(made.url) };
}
