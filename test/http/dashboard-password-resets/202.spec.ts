import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAILS_PER_HOUR } from '../../../src/mail/mail-limits.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { workOf } from '../../support/app/work-of.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailedEarlier, mailsTo, type WrittenMail } from '../../support/mail/outbox.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

/** Only emails about the password, not the one for a new account. */
async function passwordMailsTo(address: string): Promise<WrittenMail[]> {
  return (await mailsTo(harness, address)).filter(({ kind }) => kind.startsWith('password'));
}

const ask = (email: string, headers: Record<string, string> = {}) =>
  new DashboardClient(harness).call('POST', '/password-resets', { json: { email }, headers });

describe('POST /dashboard/api/password-resets', () => {
  it('sends one email to the address of the account, and stores only the hash of the token', async () => {
    const { email, id } = await new DashboardClient(harness).newPerson();
    const { status, body } = await ask(` ${email.toUpperCase()} `);
    expect({ status, body: body as unknown }).toEqual({ status: 202, body: {} });
    const mails = await passwordMailsTo(email);
    expect(mails).toMatchObject([{ kind: 'password_reset', accountId: id, subject: 'Reset your password' }]);
    const token = /https:\/\/images\.example\/base\/reset-password#([\w-]{43})\n/.exec(mails[0]!.text)![1]!;
    expect(mails[0]!.html).toContain(`reset-password#${token}"`);
    const rows = await harness.rows('SELECT r::text AS row FROM password_resets r WHERE account_id = $1', [
      id,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    const stored = await harness.rows(`SELECT encode(sealed_content, 'escape') AS content FROM mails`);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('writes in the language of the user, or else in that of the request', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson();
    await browser.call('PATCH', '/notifications', { json: { language: 'de' } });
    await ask(email, { 'accept-language': 'en' });
    expect(await passwordMailsTo(email)).toMatchObject([{ subject: 'Neues Passwort wählen' }]);
    // A user without a language setting gets the language of the request.
    const { id } = await harness.createAccount();
    const [row] = await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]);
    await ask(row!.email, { 'accept-language': 'de-AT,en;q=0.5' });
    expect(await passwordMailsTo(row!.email)).toMatchObject([{ subject: 'Neues Passwort wählen' }]);
  });

  it('answers an unknown address the same way, and writes a row, but sends nothing', async () => {
    const before = await harness.rows<{ n: number }>('SELECT count(*)::int AS n FROM mails');
    const { status, body } = await ask('nobody@example.org');
    expect({ status, body: body as unknown }).toEqual({ status: 202, body: {} });
    const after = await harness.rows<{ n: number }>('SELECT count(*)::int AS n FROM mails');
    expect(after[0]!.n).toBe(before[0]!.n + 1);
    expect(
      await harness.rows(
        'SELECT status, recipient, account_id, sealed_content FROM mails ORDER BY id DESC LIMIT 1',
      ),
    ).toEqual([{ status: 'discarded', recipient: null, account_id: null, sealed_content: null }]);
    expect(await passwordMailsTo('nobody@example.org')).toEqual([]);
  });

  it('does the same work for known and unknown addresses, to prevent timing attacks', async () => {
    const { email } = await new DashboardClient(harness).newPerson();
    const known = await workOf(harness, () => ask(email));
    expect(known).toEqual([
      'rate_limit_take_all',
      'rate_limit_take_all',
      'rate_limit_take_all',
      'password_reset_lock_by_email',
      'notification_settings_read',
      'mail_limits_take',
      'password_reset_request',
      'mails_insert',
    ]);
    expect(await workOf(harness, () => ask('nobody@example.org'))).toEqual(known);
  });

  it('sends at most five emails an hour to one account, even for concurrent requests', async () => {
    const { email } = await new DashboardClient(harness).newPerson();
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(email)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    expect(await passwordMailsTo(email)).toHaveLength(MAILS_PER_HOUR.password_reset);
    await mailedEarlier(harness);
    await ask(email);
    expect(await passwordMailsTo(email)).toHaveLength(MAILS_PER_HOUR.password_reset + 1);
  });

  it('counts those to an account that was deleted and created again', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson();
    for (let sent = 0; sent < MAILS_PER_HOUR.password_reset; sent += 1) await ask(email);
    const json = { confirmation: email, password: PASSWORD };
    expect((await browser.call('POST', '/account/delete', { json })).status).toBe(204);
    await new DashboardClient(harness).newPerson(email);
    await ask(email);
    expect(await passwordMailsTo(email)).toEqual([]);
  });

  it('refuses an invalid address', async () => {
    for (const email of ['', 'ada', 'a@b, c@d', 'a b@c.d']) {
      const { status, body } = await ask(email);
      expect({ status, body: body as unknown }).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'email' }] },
      });
    }
  });

  it('is limited per client address and per account, whether the account exists or not', async () => {
    const limited = await harness.another({
      env: { SMTP_FROM: 'mail@images.example', PASSWORD_RESETS_PER_MINUTE: '2', TRUST_PROXY: 'true' },
    });
    const statuses = async (
      emails: readonly string[],
      from: (index: number) => string,
    ): Promise<number[]> => {
      const seen = [];
      for (const [index, email] of emails.entries()) {
        const headers = { 'x-forwarded-for': from(index) };
        const answer = await new DashboardClient(limited).call('POST', '/password-resets', {
          json: { email },
          headers,
        });
        seen.push(answer.status);
      }
      return seen;
    };
    const { email } = await new DashboardClient(harness).newPerson();
    const many = ['x1@example.org', 'x2@example.org', 'x3@example.org'];
    expect(await statuses(many, () => '198.51.100.1')).toEqual([202, 202, 429]);
    for (const one of [email, 'unknown@example.org'])
      expect(await statuses([one, one, one], (index) => `198.51.100.${10 + index}`)).toEqual([202, 202, 429]);
    await limited.close();
  });

  it('says whom to ask when the service sends no email', async () => {
    const silent = await harness.another({ env: { SMTP_FROM: '' } });
    const browser = new DashboardClient(silent);
    const { status, body } = await browser.call('POST', '/password-resets', {
      json: { email: 'a@b.example' },
    });
    expect({ status, body: body as unknown }).toMatchObject({
      status: 403,
      body: { code: 'feature_disabled', detail: expect.stringContaining('Ask its operator') as string },
    });
    expect((await browser.call('GET', '/session')).body).toMatchObject({ sendsMail: false });
    expect((await new DashboardClient(harness).call('GET', '/session')).body).toMatchObject({
      sendsMail: true,
    });
    await silent.close();
  });
});
