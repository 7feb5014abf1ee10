import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/app/api-client.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { completeEmailChange, emailChangeToken } from '../../support/sign-in/email-changes.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

async function newBrowser(): Promise<{ browser: DashboardClient; id: string; email: string }> {
  const browser = new DashboardClient(harness);
  return { browser, ...(await browser.newPerson()) };
}

const preview = (browser: DashboardClient, token: string): Promise<Answer> =>
  browser.call('POST', '/email-changes/preview', { json: { token } });

const DEAD = { status: 400, body: { code: 'link_not_valid' } };

describe('POST /dashboard/api/email-changes/preview', () => {
  it('names the new address to the user who asked for it, on every device, and changes nothing', async () => {
    const { browser, email } = await newBrowser();
    const token = await emailChangeToken(harness, browser, 'named@example.org');
    const elsewhere = new DashboardClient(harness);
    await elsewhere.signIn(email);
    for (const each of [browser, elsewhere, browser])
      expect(await preview(each, token)).toMatchObject({
        status: 200,
        body: { email: 'named@example.org', expiresAt: expect.any(String) as string },
      });
    expect((await browser.call('GET', '/session')).body).toMatchObject({ user: { email } });
    expect((await completeEmailChange(browser, token)).status).toBe(200);
    expect(await preview(browser, token)).toMatchObject(DEAD);
  });

  it('names neither address to anybody else who has the link', async () => {
    const { browser, email } = await newBrowser();
    const token = await emailChangeToken(harness, browser, 'leaked@example.org');
    const signedOut = await preview(new DashboardClient(harness), token);
    expect(signedOut).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    const other = await preview((await newBrowser()).browser, token);
    expect(other).toMatchObject({ status: 403, body: { code: 'link_for_other_user' } });
    for (const { text } of [signedOut, other]) {
      expect(text).not.toContain('leaked@example.org');
      expect(text).not.toContain(email);
    }
  });

  it('refuses a link that is expired, canceled, incomplete or unknown', async () => {
    const { browser, id } = await newBrowser();
    const expired = await emailChangeToken(harness, browser, 'expired@example.org');
    await harness.rows('UPDATE email_changes SET expires_at = now() WHERE account_id = $1', [id]);
    for (const token of [expired, expired.slice(1), '', 'A'.repeat(43)])
      expect(await preview(browser, token)).toMatchObject(DEAD);
    const canceled = await emailChangeToken(harness, browser, 'canceled@example.org');
    await browser.call('DELETE', '/email-changes/pending');
    expect(await preview(browser, canceled)).toMatchObject(DEAD);
  });
});
