import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_OWNED } from '../../../src/accounts/members/organization-creation.js';
import type { Answer } from '../../support/app/api-client.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { invite } from '../../support/app/invitations.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_UPS_PER_MINUTE: '1000', SIGN_IN_ATTEMPTS_PER_MINUTE: '1000' } });
});
afterAll(() => harness.close());

interface Created {
  readonly account: { readonly id: string; readonly name: string };
}

/** A user whose session is in a new organization. */
async function founder(name = 'Photo Shop') {
  const browser = new DashboardClient(harness);
  const user = await browser.signInto(await harness.createAccount());
  const { status, body, text } = await browser.call('POST', '/organizations', { json: { name } });
  expect(status, text).toBe(201);
  return { browser, user, organization: (body as Created).account };
}

/** Another user with this role in the organization. */
async function colleague(owner: DashboardClient, role: 'owner' | 'viewer') {
  const browser = new DashboardClient(harness);
  const user = await browser.signInto(await harness.createAccount());
  const { token } = await invite(owner, user.email, role);
  expect((await browser.call('POST', '/invitation/accept', { json: { token } })).status).toBe(200);
  return { browser, user };
}

const refusal = ({ status, body }: Answer) => ({ status, code: (body as { code?: string }).code });
const remove = (browser: DashboardClient, confirmation: string) =>
  browser.call('POST', '/account/delete', { json: { confirmation, password: PASSWORD } });

describe('an organization that a user creates', () => {
  it('has a name, its creator as the primary owner, and its own resources', async () => {
    const { browser, user, organization } = await founder('  Photo Shop ');
    expect((await browser.call('GET', '/session')).body).toMatchObject({
      account: { id: organization.id, name: 'Photo Shop', ownerId: user.id, plan: 'free' },
      user,
      role: 'owner',
    });
    expect((await browser.call('GET', '/members')).body).toMatchObject({
      data: [{ userId: user.id, email: user.email, role: 'owner', isPrimaryOwner: true }],
    });
    expect((await browser.call('GET', '/keys')).body).toMatchObject({ data: [] });
    expect((await browser.call('GET', '/organizations')).body).toMatchObject({
      data: [
        { id: user.id, name: user.email, isCurrent: false },
        { id: organization.id, name: 'Photo Shop', role: 'owner', isCurrent: true },
      ],
    });
    const [created] = await harness.rows(
      `SELECT actor_id, details FROM audit_events WHERE account_id = $1 AND action = 'account.created'`,
      [organization.id],
    );
    expect(created).toEqual({ actor_id: user.id, details: { name: 'Photo Shop' } });
  });

  it('is named in its invitations', async () => {
    // The joiners of emoji and Persian are no direction marks.
    const name = 'Studio 5 👩\u200d🎨 می\u200cخواهم';
    const { browser } = await founder(name);
    const { token } = await invite(browser, 'named@example.org');
    const { body } = await browser.call('POST', '/invitation/preview', { json: { token } });
    expect(body).toMatchObject({ organization: name });
  });

  it('keeps its primary owner, whom no other owner or operator can remove or demote', async () => {
    const { browser, user, organization } = await founder();
    const { browser: second } = await colleague(browser, 'owner');
    const answers = [
      await second.call('DELETE', `/members/${user.id}`),
      await second.call('PATCH', `/members/${user.id}`, { json: { role: 'viewer' } }),
      await browser.call('POST', '/members/leave', { json: {} }),
    ];
    for (const answer of answers) expect(refusal(answer)).toEqual({ status: 409, code: 'primary_owner' });
    await expect(harness.accountsOf.addMember(organization.id, user.id, 'viewer')).rejects.toThrow(
      'is the primary owner',
    );
    expect((await second.call('GET', '/members')).body).toMatchObject({
      data: [{ userId: user.id, isPrimaryOwner: true }, { isPrimaryOwner: false }],
    });
    expect((await second.call('POST', '/members/leave', { json: {} })).status).toBe(200);
  });

  it('cannot get a password from an operator, or become a member of another account', async () => {
    const { organization, user } = await founder();
    const { accountsOf } = harness;
    for (const attempt of [
      () => accountsOf.setPassword(organization.id, 'x'),
      () => accountsOf.issueResetToken(organization.id),
      () => accountsOf.addMember(user.id, organization.id, 'viewer'),
    ])
      await expect(attempt()).rejects.toThrow('is the organization');
  });

  it('cannot be signed in to, or found by another user', async () => {
    const { organization } = await founder();
    const stranger = new DashboardClient(harness);
    const json = { email: organization.id, password: PASSWORD };
    expect((await stranger.call('POST', '/sign-in', { json })).status).toBe(401);
    await stranger.signInto(await harness.createAccount());
    const answer = await stranger.call('POST', `/organizations/${organization.id}/switch`, { json: {} });
    expect(answer.status).toBe(404);
  });

  it('is deleted only by its primary owner and by name, and blocks the deletion of that user', async () => {
    const { browser, user, organization } = await founder('Old Shop');
    const { browser: second } = await colleague(browser, 'owner');
    expect(refusal(await remove(second, 'Old Shop'))).toEqual({ status: 403, code: 'insufficient_role' });
    expect(refusal(await remove(browser, user.email))).toEqual({ status: 400, code: 'invalid_request' });
    await browser.call('POST', `/organizations/${user.id}/switch`, { json: {} });
    const kept = await remove(browser, user.email);
    expect(refusal(kept)).toEqual({ status: 409, code: 'owns_organizations' });
    expect(kept.text).toContain('Old Shop');
    await browser.call('POST', `/organizations/${organization.id}/switch`, { json: {} });
    expect((await remove(browser, 'old shop')).status).toBe(204);
    const left = () =>
      harness.rows('SELECT id FROM accounts WHERE id IN ($1, $2)', [user.id, organization.id]);
    expect(await left()).toEqual([{ id: user.id }]);
    // The user stays signed in, in their own account.
    await browser.call('GET', '/session');
    expect((await remove(browser, user.email)).status).toBe(204);
    expect(await left()).toEqual([]);
  });
});

describe('a new organization is refused', () => {
  it.each([
    {},
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(81) },
    { name: 'a\u0000b' },
    { name: 5 },
    { name: 'Shop\n\nYour account was locked.' },
    { name: 'Shop\u2028Your account was locked.' },
    { name: 'Locked: https://evil.example/login' },
    { name: 'Locked: WWW.evil.example' },
    { name: 'Shop\u202egpj' },
    { name: '\u2066Shop' },
    { name: '\u200b\u200b' },
    { name: '\u200d' },
  ])('for %j', async (json) => {
    const browser = new DashboardClient(harness);
    await browser.signInto(await harness.createAccount());
    const { status, body } = await browser.call('POST', '/organizations', { json });
    expect({ status, body: body as unknown }).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'name' }] },
    });
  });

  it('beyond the limit per user, even for concurrent requests', async () => {
    const { user } = await founder();
    const browsers = await Promise.all(
      Array.from({ length: MAX_OWNED + 2 }, async () => {
        const browser = new DashboardClient(harness);
        await browser.signIn(user.email);
        return browser;
      }),
    );
    const answers = await Promise.all(
      browsers.map((browser) => browser.call('POST', '/organizations', { json: { name: 'One more' } })),
    );
    const refused = answers.filter(({ status }) => status !== 201).map(refusal);
    expect(refused).toEqual([1, 2, 3].map(() => ({ status: 409, code: 'organization_limit_reached' })));
  });

  it('while sign-up is closed, and above the rate limit for sign-ups', async () => {
    const closed = await startHarness({ env: { SIGNUP: 'closed' } });
    const slow = await startHarness({ env: { SIGN_UPS_PER_MINUTE: '1' } });
    try {
      const statuses: unknown[] = [];
      for (const one of [closed, slow]) {
        const browser = new DashboardClient(one);
        await browser.signInto(await one.createAccount());
        for (const name of ['First', 'Second'])
          statuses.push((await browser.call('POST', '/organizations', { json: { name } })).status);
      }
      expect(statuses).toEqual([403, 403, 201, 429]);
    } finally {
      await closed.close();
      await slow.close();
    }
  });
});
