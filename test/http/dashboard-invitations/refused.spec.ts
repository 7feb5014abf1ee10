import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  MAX_INVITATIONS_PER_DAY,
  MAX_OPEN_INVITATIONS,
} from '../../../src/accounts/invitations/invitations.service.js';
import type { Answer } from '../../support/app/api-client.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { invite } from '../../support/app/invitations.js';
import { newMember } from '../../support/app/members.js';
import { atTheSameTime } from '../../support/app/organization-lock.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { hashSecretToken, newSecretToken } from '../../../src/kernel/secret-token.js';

let harness: Harness;
let organization: TestAccount;
let owner: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  organization = await harness.createAccount();
  owner = new DashboardClient(harness);
  await owner.signInto(organization);
});
afterAll(() => harness.close());

/** The status and code of a refusal. */
const refusal = ({ status, body }: Answer) => ({ status, code: (body as { code?: string }).code });

async function newUser(): Promise<{ browser: DashboardClient; id: string; email: string }> {
  const browser = new DashboardClient(harness);
  return { browser, ...(await browser.signInto(await harness.createAccount())) };
}

const accept = (browser: DashboardClient, token: string) =>
  browser.call('POST', '/invitation/accept', { json: { token } });
const preview = (token: string) =>
  new DashboardClient(harness).call('POST', '/invitation/preview', { json: { token } });
const isMember = async (userId: string): Promise<boolean> =>
  (
    await harness.rows('SELECT 1 FROM memberships WHERE account_id = $1 AND user_id = $2', [
      organization.id,
      userId,
    ])
  ).length > 0;

describe('an invitation link', () => {
  it.each([
    ['revoked', 'invitation_revoked', 'revoked_at = now()'],
    ['expired', 'invitation_expired', `expires_at = now() - interval '1 second'`],
  ])('that is %s is reported as such and adds no member', async (_, code, change) => {
    const user = await newUser();
    const { id, token } = await invite(owner, user.email);
    await harness.rows(`UPDATE invitations SET ${change} WHERE id = $1`, [id]);
    expect(refusal(await preview(token))).toEqual({ status: 410, code: code });
    expect(refusal(await accept(user.browser, token))).toEqual({ status: 410, code: code });
    expect(await isMember(user.id)).toBe(false);
  });

  it('that was used is reported as used, even to a member who was removed since', async () => {
    const user = await newUser();
    const { token } = await invite(owner, user.email);
    expect((await accept(user.browser, token)).status).toBe(200);
    expect(refusal(await preview(token))).toEqual({ status: 410, code: 'invitation_used' });
    expect((await owner.call('DELETE', `/members/${user.id}`)).status).toBe(204);
    // Reads the CSRF token of the user's own account.
    await user.browser.call('GET', '/session');
    expect(refusal(await accept(user.browser, token))).toEqual({ status: 410, code: 'invitation_used' });
    expect(await isMember(user.id)).toBe(false);
  });

  it('of a suspended organization is refused until it is resumed, without using it up', async () => {
    const user = await newUser();
    const { token } = await invite(owner, user.email);
    const suspendedAt = (at: Date | null) =>
      harness.rows('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [organization.id, at]);
    await suspendedAt(new Date());
    expect(refusal(await preview(token))).toEqual({ status: 403, code: 'account_suspended' });
    expect(refusal(await accept(user.browser, token))).toEqual({ status: 403, code: 'account_suspended' });
    expect(await isMember(user.id)).toBe(false);
    await suspendedAt(null);
    expect((await accept(user.browser, token)).status).toBe(200);
    expect(await isMember(user.id)).toBe(true);
  });

  it('for another user is refused, and the refusal names the invited address', async () => {
    const user = await newUser();
    const { token } = await invite(owner, 'somebody-else@example.org', 'admin');
    const answer = await accept(user.browser, token);
    expect(refusal(answer)).toEqual({ status: 403, code: 'invitation_for_other_user' });
    expect(answer.body).toMatchObject({ email: 'somebody-else@example.org' });
    expect(await isMember(user.id)).toBe(false);
  });

  it.each(['x', "' OR 1=1", newSecretToken()])('with an unknown token (%s) is not found', async (token) => {
    const { browser } = await newUser();
    expect(refusal(await preview(token))).toEqual({ status: 404, code: 'not_found' });
    expect(refusal(await accept(browser, token))).toEqual({ status: 404, code: 'not_found' });
  });

  it('without a token is invalid', async () => {
    const { status, body } = await owner.call('POST', '/invitation/accept', { json: {} });
    expect({ status, body: body as unknown }).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'token' }] },
    });
  });
});

describe('nobody grants more than they have', () => {
  it('an admin cannot invite an owner, or renew or revoke the invitation of one', async () => {
    const { browser: admin } = await newMember(harness, organization, 'admin');
    const json = { email: 'second-owner@example.org', role: 'owner' };
    expect(refusal(await admin.call('POST', '/invitations', { json }))).toEqual({
      status: 403,
      code: 'insufficient_role',
    });
    const { id } = await invite(owner, json.email, 'owner');
    expect(refusal(await admin.call('POST', `/invitations/${id}/renew`, { json: {} }))).toEqual({
      status: 403,
      code: 'insufficient_role',
    });
    expect(refusal(await admin.call('DELETE', `/invitations/${id}`))).toEqual({
      status: 403,
      code: 'insufficient_role',
    });
    expect((await owner.call('DELETE', `/invitations/${id}`)).status).toBe(204);
    expect(refusal(await owner.call('DELETE', `/invitations/${id}`))).toEqual({
      status: 404,
      code: 'not_found',
    });
  });

  it('an admin who is removed while inviting invites nobody', async () => {
    const admin = await newMember(harness, organization, 'admin');
    const json = { email: 'last-minute@example.org', role: 'admin' };
    const [removed, invited] = await atTheSameTime(harness, organization.id, [
      () => owner.call('DELETE', `/members/${admin.id}`),
      () => admin.browser.call('POST', '/invitations', { json }),
    ]);
    expect(removed!.status).toBe(204);
    // The invitation is refused, or revoked with the removal, depending on which request got the lock first.
    expect([201, 403]).toContain(invited!.status);
    expect((await owner.call('GET', '/invitations')).text).not.toContain(json.email);
  });
});

describe('an invitation', () => {
  it.each([
    {},
    { email: 'no address', role: 'viewer' },
    { email: 'a@example.org' },
    { email: 'a@b', role: 'king' },
  ])('with %j is invalid', async (json) => {
    expect(refusal(await owner.call('POST', '/invitations', { json }))).toEqual({
      status: 400,
      code: 'invalid_request',
    });
  });

  it('to a member, or to an address with an open invitation, is refused', async () => {
    const { email } = await newMember(harness, organization, 'viewer');
    const create = (address: string) =>
      owner.call('POST', '/invitations', { json: { email: address, role: 'viewer' } });
    expect(refusal(await create(email.toUpperCase()))).toEqual({ status: 409, code: 'already_member' });
    await invite(owner, 'open@example.org');
    expect(refusal(await create('Open@example.org'))).toEqual({ status: 409, code: 'invitation_pending' });
  });

  it('cannot be reached from another organization', async () => {
    const { id } = await invite(owner, 'hidden@example.org');
    const { browser } = await newUser();
    expect(refusal(await browser.call('POST', `/invitations/${id}/renew`, { json: {} }))).toEqual({
      status: 404,
      code: 'not_found',
    });
    expect(refusal(await browser.call('DELETE', `/invitations/${id}`))).toEqual({
      status: 404,
      code: 'not_found',
    });
    expect((await browser.call('GET', '/invitations')).body).toEqual({ data: [] });
  });
});

describe('the number of invitations', () => {
  const fill = (accountId: string, count: number, revokedAt: string | null) =>
    harness.rows(
      `INSERT INTO invitations (id, account_id, email, role, token_hash, invited_by, expires_at, revoked_at)
       SELECT 'inv_' || $1 || n || coalesce($3, ''), $1, n || '@example.org', 'viewer',
              sha256(($1 || n || coalesce($3, ''))::bytea), $1, now() + interval '7 days', $3::timestamptz
         FROM generate_series(1, $2::int) AS n`,
      [accountId, count, revokedAt],
    );

  it('is limited, both of open invitations and per day', async () => {
    const account = await harness.createAccount();
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const create = (email: string) =>
      browser.call('POST', '/invitations', { json: { email, role: 'viewer' } });
    await fill(account.id, MAX_OPEN_INVITATIONS - 1, null);
    await invite(browser, 'last@example.org');
    expect(refusal(await create('more@example.org'))).toEqual({
      status: 409,
      code: 'invitation_limit_reached',
    });
    await harness.rows('UPDATE invitations SET revoked_at = now() WHERE account_id = $1', [account.id]);
    await fill(account.id, MAX_INVITATIONS_PER_DAY - MAX_OPEN_INVITATIONS, '2020-01-01T00:00:00Z');
    const answer = await create('more@example.org');
    expect(refusal(answer)).toEqual({ status: 429, code: 'too_many_attempts' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await harness.rows(
      `UPDATE invitations SET created_at = now() - interval '2 days' WHERE account_id = $1`,
      [account.id],
    );
    await invite(browser, 'more@example.org');
  });

  it('is also bounded by the member limit', async () => {
    const account = await harness.createAccount();
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    await harness.rows(
      `WITH users AS (
         INSERT INTO accounts (id, email, plan)
         SELECT 'acc_full' || n || $1, n || $1 || '@example.org', 'free' FROM generate_series(1, 100) AS n RETURNING id)
       INSERT INTO memberships (account_id, user_id, role) SELECT $1, id, 'viewer' FROM users`,
      [account.id],
    );
    const user = await newUser();
    const { token } = await invite(browser, user.email);
    expect(refusal(await accept(user.browser, token))).toEqual({ status: 409, code: 'member_limit_reached' });
    // The refusal did not use up the invitation.
    expect((await preview(token)).status).toBe(200);
    const [row] = await harness.rows('SELECT accepted_at FROM invitations WHERE token_hash = $1', [
      hashSecretToken(token),
    ]);
    expect(row).toEqual({ accepted_at: null });
  });
});
