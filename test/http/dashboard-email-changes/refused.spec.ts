import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountSuspension } from '../../../src/accounts/account-suspension.js';
import { MAX_CHANGES_PER_HOUR } from '../../../src/auth/email-changes/email-changes.js';
import { Database } from '../../../src/infra/database/database.js';
import { MAILS_PER_HOUR } from '../../../src/mail/mail-limits.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailedEarlier, mailsTo } from '../../support/mail/outbox.js';
import {
  completeEmailChange,
  emailChangeToken,
  emailChangeTokens,
  requestEmailChange,
} from '../../support/sign-in/email-changes.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

let people = 0;

async function newBrowser(): Promise<{ browser: DashboardClient; id: string; email: string }> {
  const browser = new DashboardClient(harness);
  return { browser, ...(await browser.newPerson(`refused-${(people += 1)}@example.org`)) };
}

describe('400', () => {
  it.each([
    ['nobody', 'email must be an email address like you@example.org.'],
    ['ada@ｅxample.org', 'email must be an email address like you@example.org.'],
    ['ada@example.org.', 'email must be an email address like you@example.org.'],
    ['a, b@example.org', 'email must be an email address like you@example.org.'],
  ])('for the address %s', async (address, message) => {
    const { browser } = await newBrowser();
    expect(await requestEmailChange(browser, address)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'email', message }] },
    });
  });

  it('for the current address', async () => {
    const { browser, email } = await newBrowser();
    expect(await requestEmailChange(browser, email)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'email', message: 'email is the current address of your account.' }] },
    });
  });

  it('for a link that is expired, incomplete or unknown', async () => {
    const { browser, id } = await newBrowser();
    const token = await emailChangeToken(harness, browser, 'too-late@example.org');
    await harness.rows('UPDATE email_changes SET expires_at = now() WHERE account_id = $1', [id]);
    for (const each of [token, token.slice(1), '', 'A'.repeat(43)])
      expect(await completeEmailChange(browser, each)).toMatchObject({
        status: 400,
        body: { code: 'link_not_valid' },
      });
  });
});

describe('401', () => {
  it('for a link that is opened without a session, and for a suspended account', async () => {
    const { browser, id } = await newBrowser();
    const token = await emailChangeToken(harness, browser, 'signed-out@example.org');
    expect(await completeEmailChange(new DashboardClient(harness), token)).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
    await new AccountSuspension(harness.app.get(Database)).suspend(id, 'Unpaid');
    expect((await completeEmailChange(browser, token)).status).toBe(401);
    expect((await requestEmailChange(browser, 'other@example.org')).status).toBe(401);
  });
});

describe('403', () => {
  it('for a wrong password, and for a user without one', async () => {
    const { browser, id } = await newBrowser();
    const wrong = { status: 403, body: { code: 'wrong_password' } };
    expect(await requestEmailChange(browser, 'mine@example.org', 'not my password')).toMatchObject(wrong);
    await harness.rows('UPDATE accounts SET password_hash = NULL WHERE id = $1', [id]);
    expect(await requestEmailChange(browser, 'mine@example.org')).toMatchObject(wrong);
    expect(await mailsTo(harness, 'mine@example.org')).toEqual([]);
  });

  it('for the link of another user, which stays valid', async () => {
    const { browser } = await newBrowser();
    const token = await emailChangeToken(harness, browser, 'of-ada@example.org');
    const { browser: other } = await newBrowser();
    expect(await completeEmailChange(other, token)).toMatchObject({
      status: 403,
      body: { code: 'link_for_other_user' },
    });
    expect((await completeEmailChange(browser, token)).status).toBe(200);
  });

  it('when the service sends no mail', async () => {
    const silent = await harness.another({ env: { SMTP_FROM: '', SIGN_UPS_PER_MINUTE: '1000' } });
    const browser = new DashboardClient(silent);
    await browser.newPerson();
    expect(await requestEmailChange(browser, 'silent@example.org')).toMatchObject({
      status: 403,
      body: { code: 'feature_disabled', detail: expect.stringMatching(/Ask its operator/) as string },
    });
    await silent.close();
  });
});

describe('409', () => {
  it('for an address that was taken meanwhile', async () => {
    const { browser, email } = await newBrowser();
    const token = await emailChangeToken(harness, browser, 'wanted@example.org');
    await new DashboardClient(harness).newPerson('Wanted@example.org');
    expect(await completeEmailChange(browser, token)).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    });
    expect((await browser.call('GET', '/session')).body).toMatchObject({ user: { email } });
  });

  it('for all but one of several users who confirm the same address at once', async () => {
    const browsers = await Promise.all(Array.from({ length: 4 }, newBrowser));
    const email = 'popular@example.org';
    for (const { browser } of browsers) expect((await requestEmailChange(browser, email)).status).toBe(202);
    const tokens = await emailChangeTokens(harness, email);
    const answers = await Promise.all(
      browsers.map(({ browser }, index) => completeEmailChange(browser, tokens[index]!)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(await harness.rows('SELECT 1 FROM accounts WHERE email = $1', [email])).toHaveLength(1);
  });
});

describe('429', () => {
  it('after too many links of one user, for free and taken addresses alike', async () => {
    const { email: taken } = await newBrowser();
    const { browser } = await newBrowser();
    const ask = async (index: number) =>
      (await requestEmailChange(browser, index % 2 === 0 ? taken : `free-${index}@example.org`)).status;
    const seen = [];
    for (let index = 0; index < MAX_CHANGES_PER_HOUR + 2; index += 1) seen.push(await ask(index));
    expect(seen).toEqual([...Array.from({ length: MAX_CHANGES_PER_HOUR }, () => 202), 429, 429]);
    const { headers } = await requestEmailChange(browser, taken);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
    await mailedEarlier(harness);
    expect(await ask(1)).toBe(202);
  });

  it('after too many links to one mailbox, whether or not the address is taken', async () => {
    const { email: taken } = await newBrowser();
    for (const address of [taken, 'flooded@example.org']) {
      const seen = [];
      for (let index = 0; index <= MAILS_PER_HOUR.email_change; index += 1)
        seen.push((await requestEmailChange((await newBrowser()).browser, address)).status);
      expect(seen).toEqual([...Array.from({ length: MAILS_PER_HOUR.email_change }, () => 202), 429]);
    }
    expect(await emailChangeTokens(harness, 'flooded@example.org')).toHaveLength(MAILS_PER_HOUR.email_change);
  });

  it('after too many guesses of the password', async () => {
    const { browser } = await newBrowser();
    const guarded = await harness.another({
      env: { SIGN_IN_ATTEMPTS_PER_MINUTE: '3', SMTP_FROM: 'mail@images.example' },
    });
    const guessing = Object.assign(new DashboardClient(guarded), {
      cookie: browser.cookie,
      csrfToken: browser.csrfToken,
    });
    const seen = [];
    for (const password of ['one', 'two', 'three', PASSWORD])
      seen.push((await requestEmailChange(guessing, 'guess@example.org', password)).status);
    expect(seen).toEqual([403, 403, 403, 429]);
    await guarded.close();
  });
});
