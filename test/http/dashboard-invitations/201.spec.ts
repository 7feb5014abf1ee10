import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { invite, renew } from '../../support/app/invitations.js';
import { newMember } from '../../support/app/members.js';
import { atTheSameTime } from '../../support/app/organization-lock.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { hashSecretToken, newSecretToken } from '../../../src/kernel/secret-token.js';

let harness: Harness;
let organization: TestAccount;
let owner: DashboardClient;
let ownerEmail: string;
beforeAll(async () => {
  harness = await sharedHarness();
  organization = await harness.createAccount();
  owner = new DashboardClient(harness);
  ownerEmail = (await owner.signInto(organization)).email;
});
afterAll(() => harness.close());

/** A user whose session is in their own account. */
async function newUser(): Promise<{ browser: DashboardClient; id: string; email: string }> {
  const browser = new DashboardClient(harness);
  return { browser, ...(await browser.signInto(await harness.createAccount())) };
}

/** Another session of the same user. */
async function anotherBrowser(userId: string): Promise<DashboardClient> {
  const token = newSecretToken();
  await harness.rows(
    `INSERT INTO sessions (token_hash, account_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
    [hashSecretToken(token), userId],
  );
  const browser = new DashboardClient(harness);
  browser.cookie = `__Host-ies_session=${token}`;
  await browser.call('GET', '/session');
  return browser;
}

const accept = (browser: DashboardClient, token: string) =>
  browser.call('POST', '/invitation/accept', { json: { token } });

const membersOf = (accountId: string) =>
  harness.rows('SELECT user_id, role FROM memberships WHERE account_id = $1 ORDER BY user_id', [accountId]);

const audited = (accountId: string, targetId: string) =>
  harness.rows(
    'SELECT action, actor_id, details FROM audit_events WHERE account_id = $1 AND target_id = $2 ORDER BY id',
    [accountId, targetId],
  );

describe('an invitation', () => {
  it('is a link that only its creator sees: the database keeps a hash', async () => {
    const { id, url, token, ...made } = await invite(owner, 'Grace@Example.org', 'viewer');
    expect(url).toMatch(/^https:\/\/[^/]+\/base\/invitation#[\w-]{43}$/);
    expect(made).toMatchObject({ email: 'Grace@Example.org', role: 'viewer', invitedBy: ownerEmail });
    const days = (row: { days: number }) => Math.round(row.days);
    const [row] = await harness.rows<{ days: number; text: string }>(
      `SELECT extract(epoch FROM expires_at - created_at) / 86400 AS days, i::text AS text
         FROM invitations i WHERE id = $1`,
      [id],
    );
    expect(days(row!)).toBe(7);
    expect(row!.text).not.toContain(token);
    expect(await audited(organization.id, id)).toEqual([
      {
        action: 'invitation.created',
        actor_id: organization.id,
        details: { email: 'Grace@Example.org', role: 'viewer' },
      },
    ]);
    const { body } = await owner.call('GET', '/invitations');
    expect(body).toMatchObject({ data: [{ id, email: 'Grace@Example.org', isExpired: false }] });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  it('shows its details to anyone with the link, signed in or not', async () => {
    const { token } = await invite(owner, 'preview@example.org', 'billing');
    const { status, body } = await new DashboardClient(harness).call('POST', '/invitation/preview', {
      json: { token },
    });
    expect({ status, body: body as unknown }).toEqual({
      status: 200,
      body: {
        organization: ownerEmail,
        invitedBy: ownerEmail,
        email: 'preview@example.org',
        role: 'billing',
        expiresAt: expect.stringMatching(/Z$/) as string,
      },
    });
  });

  it('adds a member, whose session then belongs to the organization', async () => {
    const user = await newUser();
    const { id, token } = await invite(owner, user.email.toUpperCase(), 'developer');
    const { status, body } = await accept(user.browser, token);
    expect({ status, body: body as unknown }).toMatchObject({
      status: 200,
      body: { account: { id: organization.id }, user: { id: user.id }, role: 'developer' },
    });
    // The response contains the CSRF token of the organization.
    expect((await user.browser.call('GET', '/ai/enhance')).status).toBe(200);
    expect((await user.browser.call('POST', '/keys', { json: { name: 'Mine' } })).status).not.toBe(403);
    expect(await membersOf(organization.id)).toContainEqual({ user_id: user.id, role: 'developer' });
    expect((await audited(organization.id, id)).at(-1)).toMatchObject({
      action: 'invitation.accepted',
      actor_id: user.id,
    });
    expect(await audited(organization.id, user.id)).toEqual([
      { action: 'member.added', actor_id: user.id, details: { role: 'developer', invitation: id } },
    ]);
    expect((await owner.call('GET', '/invitations')).text).not.toContain(id);
  });

  it('can be accepted by a user who signs up after it was created', async () => {
    const email = `later-${Date.now()}@example.org`;
    const { token } = await invite(owner, email);
    const browser = new DashboardClient(harness);
    await browser.newPerson(email);
    expect((await accept(browser, token)).body).toMatchObject({ account: { id: organization.id } });
  });

  it('does not change the role of a user who became a member meanwhile', async () => {
    const user = await newUser();
    const { token } = await invite(owner, user.email, 'admin');
    await harness.accountsOf.addMember(organization.id, user.id, 'viewer');
    expect((await accept(user.browser, token)).body).toMatchObject({ role: 'viewer' });
    expect((await owner.call('POST', '/invitation/preview', { json: { token } })).body).toMatchObject({
      code: 'invitation_used',
    });
  });
});

describe('a new link', () => {
  it('replaces the earlier link', async () => {
    const user = await newUser();
    const first = await invite(owner, user.email, 'viewer');
    const second = await renew(owner, first.id);
    expect(second).toMatchObject({ email: user.email, role: 'viewer' });
    expect((await accept(user.browser, first.token)).body).toMatchObject({ code: 'invitation_revoked' });
    expect((await accept(user.browser, second.token)).status).toBe(200);
  });

  it('is issued when an address is invited again after its invitation expired', async () => {
    const email = 'again@example.org';
    const { id } = await invite(owner, email, 'viewer');
    await harness.rows(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect((await owner.call('GET', '/invitations')).body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id, isExpired: true })]) as unknown[],
    });
    await invite(owner, email, 'developer');
  });
});

describe('concurrent requests', () => {
  it('add one member, and every acceptance by the same user succeeds', async () => {
    const user = await newUser();
    const { token } = await invite(owner, user.email, 'viewer');
    const browsers = [user.browser];
    while (browsers.length < 10) browsers.push(await anotherBrowser(user.id));
    const answers = await Promise.all(browsers.map((browser) => accept(browser, token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(
      (await membersOf(organization.id)).filter((row) => (row as { user_id: string }).user_id === user.id),
    ).toEqual([{ user_id: user.id, role: 'viewer' }]);
    const actions = (await audited(organization.id, user.id)).map(
      (row) => (row as { action: string }).action,
    );
    expect(actions).toEqual(['member.added']);
  });

  it('create one invitation for an address', async () => {
    const account = await harness.createAccount();
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const json = { email: 'once@example.org', role: 'viewer' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => browser.call('POST', '/invitations', { json })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect((await browser.call('GET', '/invitations')).body).toMatchObject({ data: [{ email: json.email }] });
  });

  it('to accept and to revoke an invitation: exactly one succeeds', async () => {
    const user = await newUser();
    const { id, token } = await invite(owner, user.email, 'viewer');
    const answers = await atTheSameTime(harness, organization.id, [
      () => accept(user.browser, token),
      () => owner.call('DELETE', `/invitations/${id}`),
    ]);
    const [accepted, revoked] = answers.map(({ status }) => status);
    expect([accepted, revoked]).toEqual(accepted === 200 ? [200, 404] : [410, 204]);
    const isMember = (await membersOf(organization.id)).some(
      (row) => (row as { user_id: string }).user_id === user.id,
    );
    expect(isMember).toBe(accepted === 200);
  });
});

describe('invitations by a member', () => {
  it('end when the member leaves, is removed, or may no longer grant the role', async () => {
    const admin = await newMember(harness, organization, 'admin');
    const [kept, lost] = [
      await newMember(harness, organization, 'owner'),
      await newMember(harness, organization, 'admin'),
    ];
    const byAdmin = await invite(admin.browser, 'back-door@example.org', 'admin');
    const asOwner = await invite(kept.browser, 'owner@example.org', 'owner');
    const asAdmin = await invite(kept.browser, 'admin@example.org', 'admin');
    const byLeaver = await invite(lost.browser, 'leaver@example.org', 'viewer');
    expect((await owner.call('DELETE', `/members/${admin.id}`)).status).toBe(204);
    expect((await owner.call('PATCH', `/members/${kept.id}`, { json: { role: 'admin' } })).status).toBe(200);
    expect((await lost.browser.call('POST', '/members/leave', { json: {} })).status).toBe(200);
    const preview = async (token: string) =>
      (await owner.call('POST', '/invitation/preview', { json: { token } })).status;
    expect(
      await Promise.all([byAdmin, asOwner, asAdmin, byLeaver].map(({ token }) => preview(token))),
    ).toEqual([410, 410, 200, 410]);
    expect((await audited(organization.id, byAdmin.id)).at(-1)).toMatchObject({
      action: 'invitation.revoked',
      actor_id: organization.id,
    });
  });
});
