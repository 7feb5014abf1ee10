import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailsTo } from '../../support/mail/outbox.js';
import {
  completeEmailChange,
  emailChangeToken,
  requestEmailChange,
} from '../../support/sign-in/email-changes.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

let people = 0;
/** A free address for each test. */
const newAddress = (): string => `moved-${(people += 1)}@example.org`;

const isSignedIn = async (browser: DashboardClient): Promise<boolean> =>
  (await browser.call('GET', '/keys')).status === 200;

const signIn = (email: string) =>
  new DashboardClient(harness).call('POST', '/sign-in', { json: { email, password: PASSWORD } });

describe('POST /dashboard/api/email-changes/complete', () => {
  it('changes and verifies the address, starts a new session here, and ends every other session', async () => {
    const [here, there] = [new DashboardClient(harness), new DashboardClient(harness)];
    const { id, email } = await here.newPerson();
    await there.signIn(email);
    const to = newAddress();
    const token = await emailChangeToken(harness, here, to);
    const { cookie } = here;
    const { status, body } = await completeEmailChange(here, token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { id, email: to, isEmailVerified: true }, account: { id, name: to } });
    expect(here.cookie).not.toBe(cookie);
    expect(await isSignedIn(here)).toBe(true);
    expect(await isSignedIn(there)).toBe(false);
    expect((await here.call('GET', '/keys', { headers: { cookie: cookie! } })).status).toBe(401);
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(to)).status).toBe(200);
  });

  it('tells the earlier address, and records the change', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.newPerson();
    const to = newAddress();
    await completeEmailChange(browser, await emailChangeToken(harness, browser, to));
    const notice = (await mailsTo(harness, email)).at(-1)!;
    expect(notice).toMatchObject({ kind: 'email_changed', subject: 'Your email address was changed' });
    expect(notice.text).toContain(`New address: ${to}`);
    expect(notice.text).toContain("If that wasn't you, contact the operator of this service right away.");
    expect(
      await harness.rows(
        `SELECT details FROM audit_events WHERE account_id = $1 AND action = 'email.changed'`,
        [id],
      ),
    ).toEqual([{ details: { from: email, to } }]);
  });

  it('works on another device where the user is signed in, and once', async () => {
    const [here, there] = [new DashboardClient(harness), new DashboardClient(harness)];
    const { email } = await here.newPerson();
    const token = await emailChangeToken(harness, here, newAddress());
    await there.signIn(email);
    expect((await completeEmailChange(there, token)).status).toBe(200);
    expect(await completeEmailChange(there, token)).toMatchObject({
      status: 400,
      body: { code: 'link_not_valid' },
    });
  });

  it('ends links that were sent to the earlier address', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson();
    await browser.call('POST', '/password-resets', { json: { email } });
    await completeEmailChange(browser, await emailChangeToken(harness, browser, newAddress()));
    const texts = (await mailsTo(harness, email)).map(({ text }) => text).join('\n');
    const tokenOf = (page: string): string => new RegExp(`/${page}#(\\S+)`).exec(texts)![1]!;
    const reset = { token: tokenOf('reset-password'), newPassword: 'the moon was made of cheese' };
    const refused = { status: 400, body: { code: 'link_not_valid' } };
    expect(await browser.call('POST', '/password-resets/complete', { json: reset })).toMatchObject(refused);
    const verify = { token: tokenOf('verify-email') };
    expect(await browser.call('POST', '/email-verifications/complete', { json: verify })).toMatchObject(
      refused,
    );
  });

  it('ends a sign-in that waits for the second factor', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    const token = await emailChangeToken(harness, browser, newAddress());
    await harness.rows(
      `INSERT INTO pending_sign_ins (token_hash, account_id, expires_at) VALUES ($2, $1, now() + interval '1 hour')`,
      [id, Buffer.from(id)],
    );
    expect((await completeEmailChange(browser, token)).status).toBe(200);
    expect(await harness.rows('SELECT 1 FROM pending_sign_ins WHERE account_id = $1', [id])).toEqual([]);
  });

  it('makes the earlier address free, and invitations to it useless', async () => {
    const owner = new DashboardClient(harness);
    await owner.newPerson();
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson('invited-then-moved@example.org');
    const invited = await owner.call('POST', '/invitations', { json: { email, role: 'viewer' } });
    const invitation = (invited.body as { url: string }).url.split('#')[1]!;
    await completeEmailChange(browser, await emailChangeToken(harness, browser, newAddress()));
    expect(await browser.call('POST', '/invitation/accept', { json: { token: invitation } })).toMatchObject({
      status: 403,
      body: { code: 'invitation_for_other_user' },
    });
    expect(await new DashboardClient(harness).newPerson(email)).toMatchObject({ email });
  });

  it.each([
    [
      'the password is changed',
      async (browser: DashboardClient) => {
        const json = { currentPassword: PASSWORD, newPassword: 'the moon was made of cheese' };
        expect((await browser.call('POST', '/account/password', { json })).status).toBe(200);
      },
    ],
    [
      'the password is reset by a link',
      async (browser: DashboardClient, email: string) => {
        const token = await harness.accountsOf.issueResetToken(email);
        const json = { token, newPassword: PASSWORD };
        expect((await browser.call('POST', '/password-resets/complete', { json })).status).toBe(204);
        await browser.signIn(email);
      },
    ],
  ])('is refused after %s', async (_what, change) => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson();
    const to = newAddress();
    const token = await emailChangeToken(harness, browser, to);
    await change(browser, email);
    expect((await completeEmailChange(browser, token)).status).toBe(400);
    expect(await mailsTo(harness, to)).toEqual([]);
  });

  it('changes nothing at all when a step fails', async () => {
    const browser = new DashboardClient(harness);
    const { email, id } = await browser.newPerson();
    const token = await emailChangeToken(harness, browser, newAddress());
    // The last statement before the commit fails, as if the process had been killed there.
    await harness.rows(
      `CREATE FUNCTION refuse_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
    );
    await harness.rows(
      'CREATE TRIGGER refused BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_session()',
    );
    expect((await completeEmailChange(browser, token)).status).toBe(500);
    await harness.rows('DROP FUNCTION refuse_session() CASCADE');
    expect(await harness.rows('SELECT email FROM accounts WHERE id = $1', [id])).toEqual([{ email }]);
    expect((await mailsTo(harness, email)).at(-1)!.subject).toBe('A new email address was requested');
    expect((await completeEmailChange(browser, token)).status).toBe(200);
  });

  it('is possible where a verified address is required, for a user who signed up with a wrong one', async () => {
    const env = {
      REQUIRE_VERIFIED_EMAIL: 'on',
      SMTP_FROM: 'mail@images.example',
      SIGN_UPS_PER_MINUTE: '1000',
    };
    const strict = await harness.another({ env });
    const browser = new DashboardClient(strict);
    await browser.newPerson('wrogn@example.org');
    const to = newAddress();
    expect((await browser.call('POST', '/keys', { json: { name: 'Mine' } })).status).toBe(403);
    expect((await requestEmailChange(browser, to)).status).toBe(202);
    const [mail] = await mailsTo(strict, to);
    const token = /\/change-email#(\S+)/.exec(mail!.text)![1]!;
    expect((await completeEmailChange(browser, token)).status).toBe(200);
    expect((await browser.call('POST', '/keys', { json: { name: 'Mine' } })).status).toBe(201);
    await strict.close();
  });
});

describe('npm run admin -- account set-email', () => {
  it('changes an address, keeps its verification, and ends sessions and links', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.newPerson();
    await harness.rows('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [id]);
    const token = await emailChangeToken(harness, browser, newAddress());
    const to = newAddress();
    expect(await harness.accountsOf.setEmail(email, to)).toMatchObject({ id, email });
    expect(await isSignedIn(browser)).toBe(false);
    await browser.signIn(to);
    expect((await browser.call('GET', '/session')).body).toMatchObject({
      user: { email: to, isEmailVerified: true },
    });
    expect((await completeEmailChange(browser, token)).status).toBe(400);
  });

  it('does not let a link to the earlier address verify the new one', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.newPerson();
    const to = newAddress();
    await harness.accountsOf.setEmail(id, to);
    const [mail] = await mailsTo(harness, email);
    const token = /\/verify-email#(\S+)/.exec(mail!.text)![1]!;
    const { status } = await browser.call('POST', '/email-verifications/complete', { json: { token } });
    expect(status).toBe(400);
    await browser.signIn(to);
    expect((await browser.call('GET', '/session')).body).toMatchObject({ user: { isEmailVerified: false } });
  });

  it('is the way out for an address whose domain is no longer accepted', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    const refused = 'grace@ｅxample.org';
    await harness.rows('UPDATE accounts SET email = $2 WHERE id = $1', [id, refused]);
    expect((await signIn(refused)).status).toBe(200);
    const reset = (email: string) => browser.call('POST', '/password-resets', { json: { email } });
    expect((await reset(refused)).status).toBe(400);
    const to = newAddress();
    await harness.accountsOf.setEmail(refused, to);
    expect((await reset(to)).status).toBe(202);
    expect((await mailsTo(harness, to)).map(({ kind }) => kind)).toEqual(['password_reset']);
  });

  it('is refused for an organization, and for an address that is invalid, unchanged or taken', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.newPerson();
    const { email: taken } = await new DashboardClient(harness).newPerson(newAddress());
    const created = await browser.call('POST', '/organizations', { json: { name: 'Studio' } });
    const organization = (created.body as { account: { id: string } }).account.id;
    const set = (account: string, to: string) => harness.accountsOf.setEmail(account, to);
    await expect(set(organization, newAddress())).rejects.toThrow(/is the organization "Studio"/);
    await expect(set(id, 'grace@ｅxample.org')).rejects.toThrow(/is not an email address/);
    await expect(set(id, email)).rejects.toThrow(/is the address of this account already/);
    await expect(set(id, taken.toUpperCase())).rejects.toThrow(/There is an account with the address/);
    await expect(set('nobody@example.org', newAddress())).rejects.toThrow(/There is no account/);
    expect(await isSignedIn(browser)).toBe(true);
  });
});
