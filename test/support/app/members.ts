import { expect } from 'vitest';
import type { Role } from '../../../src/kernel/accounts/roles.js';
import { DashboardClient } from './dashboard-client.js';
import type { Harness } from './harness.js';

/** A user whose session is in someone else's organization. */
export interface Member {
  readonly browser: DashboardClient;
  /** The id of the user and of the user's own account. */
  readonly id: string;
  readonly email: string;
}

/** A new member, signed in and working in the organization. */
export async function newMember(
  harness: Harness,
  organization: { readonly id: string },
  role: Role,
): Promise<Member> {
  const browser = new DashboardClient(harness);
  const { id, email } = await browser.signInto(await harness.createAccount());
  await harness.accountsOf.addMember(organization.id, id, role);
  const { status, body, text } = await browser.call('POST', `/organizations/${organization.id}/switch`, {
    json: {},
  });
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ account: { id: organization.id }, user: { id, email }, role });
  return { browser, id, email };
}
