import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { newMember } from '../../support/app/members.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailsTo } from '../../support/mail/outbox.js';
import { addPasskey, sendPasskey, signedChallenge } from '../../support/sign-in/passkey-user.js';
import { NEW_PASSWORD, NOTHING, resetByMail, waysInto } from '../../support/sign-in/prior-access.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';
import { turnOnTwoFactor } from '../../support/sign-in/two-factor-user.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

let people = 0;

/** Signs up with an address, and creates everything that gives access to the account. */
async function preparedAccount() {
  const browser = new DashboardClient(harness);
  const { id, email } = await browser.newPerson(`owner-${(people += 1)}@example.org`);
  const authenticator = new SoftwareAuthenticator();
  expect((await addPasskey(browser, authenticator)).status).toBe(201);
  await turnOnTwoFactor(harness, browser, id);
  const key = await browser.call('POST', '/keys', { json: { name: 'Mine', scopes: ['image:read'] } });
  expect(key.status, key.text).toBe(201);
  await harness.rows(
    `INSERT INTO oidc_identities (issuer, subject, account_id) VALUES ('https://id.example', $1, $1)`,
    [id],
  );
  const accomplice = new DashboardClient(harness);
  const member = await accomplice.newPerson(`accomplice-${people}@example.org`);
  await harness.rows(`INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'admin')`, [
    id,
    member.id,
  ]);
  const invited = await browser.call('POST', '/invitations', {
    json: { email: `friend-${people}@example.org`, role: 'admin' },
  });
  expect(invited.status, invited.text).toBe(201);
  const { key: secret } = key.body as { key: string };
  return { id, email, browser, authenticator, key: secret };
}

const removals = (id: string) =>
  harness.rows(
    `SELECT details FROM audit_events WHERE account_id = $1 AND action = 'account.access_removed'`,
    [id],
  );

const endings = (id: string) =>
  harness.rows(
    `SELECT action, target_id AS "targetId", details FROM audit_events WHERE account_id = $1
        AND action IN ('key.revoked', 'member.removed', 'invitation.revoked') ORDER BY action`,
    [id],
  );

const noticesTo = async (email: string): Promise<string[]> =>
  (await mailsTo(harness, email))
    .filter(({ kind }) => kind === 'sign_in_changed')
    .map(({ subject }) => subject);

describe('a password reset by email that verifies the address for the first time', () => {
  it('leaves a stranger who signed up with the address no way in', async () => {
    const { id, email, browser, authenticator, key } = await preparedAccount();
    await resetByMail(harness, email);
    expect(await waysInto(harness, id)).toEqual(NOTHING);
    expect((await browser.call('GET', '/keys')).status).toBe(401);
    const stranger = new DashboardClient(harness);
    const passkey = await sendPasskey(stranger, await signedChallenge(stranger, authenticator));
    expect(passkey.body).toMatchObject({ status: 403, code: 'passkey_refused' });
    expect((await harness.call('GET', '/api/usage', { key })).status).toBe(401);
    const json = { email, password: PASSWORD };
    expect((await stranger.call('POST', '/sign-in', { json })).status).toBe(401);
    // No code is required.
    await new DashboardClient(harness).signIn(email, NEW_PASSWORD);
    expect(await removals(id)).toEqual([
      {
        details: {
          passkeys: 1,
          twoFactor: 1,
          identities: 1,
          sessions: 1,
          keys: 1,
          members: 1,
          invitations: 1,
        },
      },
    ]);
    expect(await noticesTo(email)).toContain('Earlier access to your account was removed');
    const [invitation] = await harness.rows(
      `SELECT m.status FROM invitations i JOIN mails m ON m.id = i.mail_id WHERE i.account_id = $1`,
      [id],
    );
    expect(invitation).toEqual({ status: 'discarded' });
  });

  it('leaves a stranger no way into organizations that they created with the account', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.newPerson(`founder-${(people += 1)}@example.org`);
    const created = await browser.call('POST', '/organizations', { json: { name: 'Corp' } });
    expect(created.status, created.text).toBe(201);
    const [organization] = await harness.rows<{ id: string }>('SELECT id FROM accounts WHERE owner_id = $1', [
      id,
    ]);
    const corp = organization!.id;
    expect((await browser.call('POST', `/organizations/${corp}/switch`, { json: {} })).status).toBe(200);
    const issued = await browser.call('POST', '/keys', { json: { name: 'Mine', scopes: ['image:read'] } });
    const { key } = issued.body as { key: string };
    expect((await harness.call('GET', '/api/usage', { key })).status).toBe(200);
    const invitation = { email: `friend-${people}@example.org`, role: 'owner' };
    expect((await browser.call('POST', '/invitations', { json: invitation })).status).toBe(201);
    // Without an event of an operator, who would vouch for the member.
    const accomplice = new DashboardClient(harness);
    const { id: accompliceId } = await accomplice.newPerson(`accomplice-${people}@example.org`);
    await harness.rows(`INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'owner')`, [
      corp,
      accompliceId,
    ]);
    expect((await accomplice.call('POST', `/organizations/${corp}/switch`, { json: {} })).status).toBe(200);
    const colleague = await newMember(harness, { id: corp }, 'viewer');
    await resetByMail(harness, email);
    expect((await harness.call('GET', '/api/usage', { key })).status).toBe(401);
    expect(await waysInto(harness, corp)).toEqual({ ...NOTHING, members: 2 });
    const { body } = await accomplice.call('GET', '/session');
    expect(body).toMatchObject({ account: { id: accompliceId } });
    expect((await colleague.browser.call('GET', '/session')).body).toMatchObject({ account: { id: corp } });
    const owner = new DashboardClient(harness);
    await owner.signIn(email, NEW_PASSWORD);
    expect((await owner.call('POST', `/organizations/${corp}/switch`, { json: {} })).body).toMatchObject({
      account: { id: corp },
      role: 'owner',
    });
    // Each log has what concerns its account.
    expect(await removals(id)).toEqual([{ details: { sessions: 1 } }]);
    expect(await removals(corp)).toEqual([{ details: { keys: 1, members: 1, invitations: 1 } }]);
    const { id: keyId } = issued.body as { id: string };
    const [invited] = await harness.rows<{ id: string }>('SELECT id FROM invitations WHERE account_id = $1', [
      corp,
    ]);
    expect(await endings(corp)).toEqual([
      { action: 'invitation.revoked', targetId: invited!.id, details: invitation },
      { action: 'key.revoked', targetId: keyId, details: { name: 'Mine' } },
      { action: 'member.removed', targetId: accompliceId, details: { role: 'owner' } },
    ]);
    expect(await noticesTo(email)).toContain('Earlier access to your account was removed');
  });

  it('removes nothing if the address was already verified', async () => {
    const { id, email } = await preparedAccount();
    await harness.rows('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [id]);
    await resetByMail(harness, email);
    expect(await waysInto(harness, id)).toMatchObject({
      passkeys: 1,
      twoFactor: 1,
      identities: 1,
      keys: 1,
      members: 1,
    });
    expect(await removals(id)).toEqual([]);
    expect(await noticesTo(email)).not.toContain('Earlier access to your account was removed');
  });

  it('keeps what an operator created, and sends no notice when nothing was removed', async () => {
    const account = await harness.createAccount();
    const [row] = await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [
      account.id,
    ]);
    const member = await new DashboardClient(harness).newPerson(`colleague-${(people += 1)}@example.org`);
    await harness.accountsOf.addMember(account.id, member.id, 'developer');
    await resetByMail(harness, row!.email);
    expect(await waysInto(harness, account.id)).toEqual({ ...NOTHING, keys: 1, members: 1 });
    expect((await harness.call('GET', '/api/usage', { key: account.key })).status).toBe(200);
    expect(await removals(account.id)).toEqual([]);
    expect(await noticesTo(row!.email)).toEqual([]);
  });

  it('does not apply to a link from an operator, which verifies nothing', async () => {
    const { id } = await preparedAccount();
    const token = await harness.accountsOf.issueResetToken(id);
    const json = { token, newPassword: NEW_PASSWORD };
    await new DashboardClient(harness).call('POST', '/password-resets/complete', { json });
    expect(await waysInto(harness, id)).toMatchObject({ passkeys: 1, twoFactor: 1, keys: 1 });
  });
});
