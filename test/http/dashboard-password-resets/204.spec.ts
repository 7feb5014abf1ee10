import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailsTo, type WrittenMail } from '../../support/mail/outbox.js';

const NEW_PASSWORD = 'the moon was made of cheese';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

/** Only emails about the password, not the one for a new account. */
async function passwordMailsTo(address: string): Promise<WrittenMail[]> {
  return (await mailsTo(harness, address)).filter(({ kind }) => kind.startsWith('password'));
}

const complete = (token: string, newPassword = NEW_PASSWORD) =>
  new DashboardClient(harness).call('POST', '/password-resets/complete', { json: { token, newPassword } });

/** A user who requested reset links, with their tokens, oldest first. */
async function forgetful(links = 1) {
  const browser = new DashboardClient(harness);
  const person = await browser.newPerson();
  for (let link = 0; link < links; link += 1)
    await browser.call('POST', '/password-resets', { json: { email: person.email } });
  const mails = await passwordMailsTo(person.email);
  return { ...person, browser, tokens: mails.map(({ text }) => /reset-password#(\S+)/.exec(text)![1]!) };
}

const refused = { status: 400, body: { code: 'link_not_valid' } };

describe('POST /dashboard/api/password-resets/complete', () => {
  it('sets the password, ends every session, signs nobody in, records it, and notifies the owner', async () => {
    const { email, id, browser, tokens } = await forgetful();
    const answer = await complete(tokens[0]!);
    expect(answer.status, answer.text).toBe(204);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await browser.call('GET', '/keys')).status).toBe(401);
    const elsewhere = new DashboardClient(harness);
    expect((await elsewhere.call('POST', '/sign-in', { json: { email, password: PASSWORD } })).status).toBe(
      401,
    );
    await elsewhere.signIn(email, NEW_PASSWORD);
    const events = await harness.rows(
      "SELECT action, actor_kind FROM audit_events WHERE account_id = $1 AND action LIKE 'password%' ORDER BY id",
      [id],
    );
    expect(events).toEqual([
      { action: 'password.reset_requested', actor_kind: 'person' },
      { action: 'password.reset_completed', actor_kind: 'person' },
    ]);
    const mails = await passwordMailsTo(email);
    expect(mails).toMatchObject([
      { kind: 'password_reset' },
      { kind: 'password_changed', subject: 'Your password was changed' },
    ]);
    expect(mails[1]!.text).toMatch(/Time: \w+ \d+, \d{4} at .* UTC\nIP address: 127\.0\.0\.1\n/);
    expect(mails[1]!.text).toContain('all devices were signed out.');
    expect(mails[1]!.text).toContain('https://images.example/base/forgot-password');
  });

  it('works once, and uses up every other link of the account', async () => {
    const { tokens } = await forgetful(3);
    expect((await complete(tokens[1]!)).status).toBe(204);
    for (const token of tokens) expect(await complete(token, `${NEW_PASSWORD}!`)).toMatchObject(refused);
  });

  it('lets one of ten simultaneous requests win', async () => {
    const { email, tokens } = await forgetful();
    const passwords = Array.from({ length: 10 }, (_, index) => `${NEW_PASSWORD} ${index}`);
    const answers = await Promise.all(passwords.map((each) => complete(tokens[0]!, each)));
    const winners = passwords.filter((_, index) => answers[index]!.status === 204);
    expect(winners).toHaveLength(1);
    await new DashboardClient(harness).signIn(email, winners[0]);
    expect((await passwordMailsTo(email)).filter(({ kind }) => kind === 'password_changed')).toHaveLength(1);
  });

  it('keeps the link valid when the new password is not acceptable', async () => {
    const { email, tokens } = await forgetful();
    for (const bad of ['short', email, 'Qwertyuiop12']) {
      const { status, body } = await complete(tokens[0]!, bad);
      expect({ status, body: body as unknown }).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field: 'newPassword' }] },
      });
    }
    expect((await complete(tokens[0]!)).status).toBe(204);
  });

  it('refuses a link that has expired, is unknown, or belongs to a deleted account', async () => {
    const old = await forgetful();
    await harness.rows('UPDATE password_resets SET expires_at = now() WHERE account_id = $1', [old.id]);
    expect(await complete(old.tokens[0]!)).toMatchObject(refused);
    const gone = await forgetful();
    const json = { confirmation: gone.email, password: PASSWORD };
    expect((await gone.browser.call('POST', '/account/delete', { json })).status).toBe(204);
    for (const token of [gone.tokens[0]!, '', 'x', 'A'.repeat(43)])
      expect(await complete(token)).toMatchObject(refused);
    await new DashboardClient(harness).signIn(old.email);
  });

  it('refuses a link after the password was changed in another way', async () => {
    const { browser, tokens } = await forgetful();
    const json = { currentPassword: PASSWORD, newPassword: 'a horse looked over the fence' };
    expect((await browser.call('POST', '/account/password', { json })).status).toBe(200);
    expect(await complete(tokens[0]!)).toMatchObject(refused);
  });

  it('sets the first password of an account with a link that an operator issued', async () => {
    const { id } = await harness.createAccount();
    const [row] = await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]);
    expect((await complete(await harness.accountsOf.issueResetToken(id))).status).toBe(204);
    await new DashboardClient(harness).signIn(row!.email, NEW_PASSWORD);
  });
});
