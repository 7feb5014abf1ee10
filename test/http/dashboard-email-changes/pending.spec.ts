import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_CHANGES_PER_HOUR } from '../../../src/auth/email-changes/email-changes.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { workOf } from '../../support/app/work-of.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailsTo } from '../../support/mail/outbox.js';
import {
  completeEmailChange,
  emailChangeToken,
  emailChangeTokens,
  requestEmailChange,
} from '../../support/sign-in/email-changes.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

let people = 0;
/** A free address for each test. */
const newAddress = (): string => `pending-${(people += 1)}@example.org`;

async function newBrowser(): Promise<{ browser: DashboardClient; id: string; email: string }> {
  const browser = new DashboardClient(harness);
  return { browser, ...(await browser.newPerson()) };
}

const pendingOf = async (browser: DashboardClient): Promise<unknown> => {
  const { status, body } = await browser.call('GET', '/email-changes/pending');
  expect(status).toBe(200);
  return (body as { change: unknown }).change;
};
const sendAgain = (browser: DashboardClient) =>
  browser.call('POST', '/email-changes/pending/send-again', { json: {} });
const cancel = (browser: DashboardClient) => browser.call('DELETE', '/email-changes/pending');

const actionsOf = async (id: string): Promise<string[]> =>
  (
    await harness.rows<{ action: string }>(
      `SELECT action FROM audit_events WHERE account_id = $1 AND action LIKE 'email.change%' ORDER BY id`,
      [id],
    )
  ).map(({ action }) => action);

describe('GET /dashboard/api/email-changes/pending', () => {
  it('shows the change until its link is used, and only to its user', async () => {
    const { browser } = await newBrowser();
    expect(await pendingOf(browser)).toBeNull();
    const to = newAddress();
    const token = await emailChangeToken(harness, browser, to);
    const change = await pendingOf(browser);
    expect(change).toEqual({ email: to, expiresAt: expect.any(String) as string });
    const daysLeft = (Date.parse((change as { expiresAt: string }).expiresAt) - Date.now()) / DAY_MS;
    expect(daysLeft).toBeGreaterThan(2.9);
    expect(daysLeft).toBeLessThanOrEqual(3);
    expect(await pendingOf((await newBrowser()).browser)).toBeNull();
    expect((await completeEmailChange(browser, token)).status).toBe(200);
    expect(await pendingOf(browser)).toBeNull();
  });

  it('shows a taken address like a free one, and nothing once the link has expired or the password changed', async () => {
    const { email: taken } = await newBrowser();
    const { browser, id } = await newBrowser();
    await requestEmailChange(browser, taken);
    expect(await pendingOf(browser)).toMatchObject({ email: taken });
    await harness.rows('UPDATE email_changes SET expires_at = now() WHERE account_id = $1', [id]);
    expect(await pendingOf(browser)).toBeNull();
    await requestEmailChange(browser, newAddress());
    const json = { currentPassword: PASSWORD, newPassword: 'the moon was made of cheese' };
    expect((await browser.call('POST', '/account/password', { json })).status).toBe(200);
    expect(await pendingOf(browser)).toBeNull();
  });
});

describe('POST /dashboard/api/email-changes/pending/send-again', () => {
  it('sends a link that replaces the earlier one, without another notice to the current address', async () => {
    const { browser, id, email } = await newBrowser();
    const to = newAddress();
    const earlier = await emailChangeToken(harness, browser, to);
    const notices = (await mailsTo(harness, email)).length;
    await harness.rows(
      `UPDATE email_changes SET expires_at = now() + interval '1 hour' WHERE account_id = $1`,
      [id],
    );
    const { status, body } = await sendAgain(browser);
    expect({ status, change: await pendingOf(browser) }).toEqual({ status: 202, ...(body as object) });
    expect(
      Date.parse((body as { change: { expiresAt: string } }).change.expiresAt) - Date.now(),
    ).toBeGreaterThan(2.9 * DAY_MS);
    expect(await mailsTo(harness, email)).toHaveLength(notices);
    expect(await actionsOf(id)).toEqual(['email.change_requested']);
    const later = (await emailChangeTokens(harness, to)).at(-1)!;
    expect((await completeEmailChange(browser, earlier)).status).toBe(400);
    expect((await completeEmailChange(browser, later)).status).toBe(200);
  });

  it('does the same work for free and taken addresses, and sends nothing to a taken one', async () => {
    const { email: taken } = await newBrowser();
    const work = async (to: string) => {
      const { browser } = await newBrowser();
      await requestEmailChange(browser, to);
      return workOf(harness, () => sendAgain(browser));
    };
    const ofTaken = await work(taken);
    expect(ofTaken).toContain('mails_insert');
    expect(await work(newAddress())).toEqual(ofTaken);
    expect(await emailChangeTokens(harness, taken)).toEqual([]);
  });

  it('counts as a request: after too many, it gets 429, and the last link still works', async () => {
    const { browser } = await newBrowser();
    const to = newAddress();
    await requestEmailChange(browser, to);
    const seen = [];
    for (let index = 1; index <= MAX_CHANGES_PER_HOUR; index += 1)
      seen.push((await sendAgain(browser)).status);
    expect(seen).toEqual([...Array.from({ length: MAX_CHANGES_PER_HOUR - 1 }, () => 202), 429]);
    expect(await sendAgain(browser)).toMatchObject({ body: { code: 'too_many_attempts' } });
    const last = (await emailChangeTokens(harness, to)).at(-1)!;
    expect((await completeEmailChange(browser, last)).status).toBe(200);
  });

  it('gets 404 when nothing is pending, and 403 when the service sends no mail', async () => {
    const { browser } = await newBrowser();
    expect(await sendAgain(browser)).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: expect.stringMatching(/Request the change again/) as string },
    });
    const silent = await harness.another({ env: { SMTP_FROM: '', SIGN_UPS_PER_MINUTE: '1000' } });
    const unheard = new DashboardClient(silent);
    await unheard.newPerson();
    expect(await sendAgain(unheard)).toMatchObject({ status: 403, body: { code: 'feature_disabled' } });
    await silent.close();
  });
});

describe('DELETE /dashboard/api/email-changes/pending', () => {
  it('ends the link, whose email is not sent if it still waits, and records it once', async () => {
    const { browser, id, email } = await newBrowser();
    const to = newAddress();
    const token = await emailChangeToken(harness, browser, to);
    expect((await cancel(browser)).status).toBe(204);
    expect(await pendingOf(browser)).toBeNull();
    expect(await mailsTo(harness, to)).toEqual([]);
    expect(await completeEmailChange(browser, token)).toMatchObject({
      status: 400,
      body: { code: 'link_not_valid' },
    });
    expect((await cancel(browser)).status).toBe(204);
    expect(await actionsOf(id)).toEqual(['email.change_requested', 'email.change_canceled']);
    expect((await browser.call('GET', '/session')).body).toMatchObject({ user: { email } });
  });

  it('leaves the changes of other users alone', async () => {
    const { browser } = await newBrowser();
    const token = await emailChangeToken(harness, browser, newAddress());
    expect((await cancel((await newBrowser()).browser)).status).toBe(204);
    expect((await completeEmailChange(browser, token)).status).toBe(200);
  });

  it('either wins over a concurrent use of the link or loses to it', async () => {
    const { browser, email } = await newBrowser();
    const other = new DashboardClient(harness);
    await other.signIn(email);
    const to = newAddress();
    const token = await emailChangeToken(harness, browser, to);
    const [canceled, completed] = await Promise.all([cancel(other), completeEmailChange(browser, token)]);
    // A change ends the other session.
    expect([
      [204, 400],
      [204, 200],
      [401, 200],
    ]).toContainEqual([canceled.status, completed.status]);
    const now = (await browser.call('GET', '/session')).body;
    expect(now).toMatchObject({ user: { email: completed.status === 200 ? to : email } });
  });
});
