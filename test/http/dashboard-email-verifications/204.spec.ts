import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAILS_PER_HOUR } from '../../../src/mail/mail-limits.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { workOf } from '../../support/app/work-of.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailedEarlier, mailsTo } from '../../support/mail/outbox.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

const complete = (token: string) =>
  new DashboardClient(harness).call('POST', '/email-verifications/complete', { json: { token } });

async function tokensOf(email: string): Promise<string[]> {
  const mails = await mailsTo(harness, email);
  return mails.flatMap(({ text }) => /\/verify-email#(\S+)/.exec(text)?.[1] ?? []);
}

const hasLink = async (browser: DashboardClient): Promise<boolean> => {
  const { body } = await browser.call('GET', '/session');
  return (body as { user: { hasVerificationLink: boolean } }).user.hasVerificationLink;
};

const isVerified = async (browser: DashboardClient): Promise<boolean> => {
  const { body } = await browser.call('GET', '/session');
  return (body as { user: { isEmailVerified: boolean } }).user.isEmailVerified;
};

describe('email verification', () => {
  it('starts with an email after sign-up, and ends with its link, which may be opened twice', async () => {
    const browser = new DashboardClient(harness);
    const { email, id } = await browser.newPerson();
    expect(await isVerified(browser)).toBe(false);
    expect(await mailsTo(harness, email)).toMatchObject([
      { kind: 'email_verification', accountId: id, subject: 'Confirm your email address' },
    ]);
    const [token] = await tokensOf(email);
    expect(JSON.stringify(await harness.rows('SELECT v::text FROM email_verifications v'))).not.toContain(
      token,
    );
    expect((await complete(token!)).status).toBe(204);
    expect(await isVerified(browser)).toBe(true);
    expect((await complete(token!)).status).toBe(204);
    const events = await harness.rows(
      `SELECT action FROM audit_events WHERE account_id = $1 AND action = 'email.verified'`,
      [id],
    );
    expect(events).toHaveLength(1);
  });

  it('states in the session whether a link that works was sent', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    expect(await hasLink(browser)).toBe(true);
    await harness.rows('UPDATE email_verifications SET expires_at = now() WHERE account_id = $1', [id]);
    expect(await hasLink(browser)).toBe(false);
    await browser.call('POST', '/email-verifications', { json: {} });
    expect(await hasLink(browser)).toBe(true);
    await harness.rows('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [id]);
    expect(await hasLink(browser)).toBe(false);
  });

  it('sends no email to an address that is taken, but still writes a row', async () => {
    const { email } = await new DashboardClient(harness).newPerson();
    const before = await harness.rows<{ n: number }>('SELECT count(*)::int AS n FROM mails');
    await new DashboardClient(harness).call('POST', '/sign-up', { json: { email, password: PASSWORD } });
    const after = await harness.rows<{ n: number }>('SELECT count(*)::int AS n FROM mails');
    expect(after[0]!.n).toBe(before[0]!.n + 1);
    expect(await tokensOf(email)).toHaveLength(1);
  });

  it('does the same work for free and taken addresses', async () => {
    const { email } = await new DashboardClient(harness).newPerson();
    const signUp = (address: string) => () =>
      new DashboardClient(harness).call('POST', '/sign-up', { json: { email: address, password: PASSWORD } });
    const taken = await workOf(harness, signUp(email));
    expect(taken).toContain('mails_insert');
    expect(await workOf(harness, signUp('surely-free@example.org'))).toEqual(taken);
  });

  it('is sent again on request, at most five times an hour, and not after it is complete', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson();
    const again = () => browser.call('POST', '/email-verifications', { json: {} });
    const answers = await Promise.all(Array.from({ length: 10 }, again));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const tokens = await tokensOf(email);
    expect(tokens).toHaveLength(MAILS_PER_HOUR.email_verification);
    await mailedEarlier(harness);
    expect((await complete(tokens.at(-1)!)).status).toBe(204);
    expect((await again()).status).toBe(202);
    expect(await tokensOf(email)).toHaveLength(MAILS_PER_HOUR.email_verification);
  });

  it('is refused for a link that is expired or invalid', async () => {
    const browser = new DashboardClient(harness);
    const { email, id } = await browser.newPerson();
    const [token] = await tokensOf(email);
    await harness.rows('UPDATE email_verifications SET expires_at = now() WHERE account_id = $1', [id]);
    for (const each of [token!, '', 'A'.repeat(43)])
      expect(await complete(each)).toMatchObject({ status: 400, body: { code: 'link_not_valid' } });
    expect(await isVerified(browser)).toBe(false);
  });

  it('happens when a password is reset by email, but not when an operator resets it', async () => {
    const browser = new DashboardClient(harness);
    const { email, id } = await browser.newPerson();
    const reset = (token: string, newPassword: string) =>
      browser.call('POST', '/password-resets/complete', { json: { token, newPassword } });
    expect((await reset(await harness.accountsOf.issueResetToken(id), PASSWORD)).status).toBe(204);
    await browser.signIn(email);
    expect(await isVerified(browser)).toBe(false);
    await browser.call('POST', '/password-resets', { json: { email } });
    const mails = await mailsTo(harness, email);
    const link = mails.map(({ text }) => /reset-password#(\S+)/.exec(text)?.[1]).find((token) => token);
    expect((await reset(link!, PASSWORD)).status).toBe(204);
    await browser.signIn(email);
    expect(await isVerified(browser)).toBe(true);
  });

  it('is off when the service sends no email', async () => {
    const silent = await harness.another({ env: { SMTP_FROM: '', SIGN_UPS_PER_MINUTE: '1000' } });
    const browser = new DashboardClient(silent);
    const { email } = await browser.newPerson();
    expect(await tokensOf(email)).toEqual([]);
    expect(await browser.call('POST', '/email-verifications', { json: {} })).toMatchObject({
      status: 403,
      body: { code: 'feature_disabled' },
    });
    await silent.close();
  });
});
