import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
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

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

const emailOf = async (id: string): Promise<string> =>
  (await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]))[0]!.email;

describe('POST /dashboard/api/email-changes', () => {
  it('sends a link to the new address and a notice to the current one, and changes nothing yet', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.newPerson();
    const token = await emailChangeToken(harness, browser, 'new-ada@example.org');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await mailsTo(harness, 'new-ada@example.org')).toMatchObject([
      { kind: 'email_change', accountId: id, subject: 'Confirm your new email address' },
    ]);
    const [, notice] = await mailsTo(harness, email);
    expect(notice).toMatchObject({
      kind: 'email_changed',
      accountId: id,
      subject: 'A new email address was requested',
    });
    expect(notice!.text).toContain('New address: new-ada@example.org');
    expect(notice!.text).toContain('IP address: ');
    expect(notice!.text).toMatch(/If that wasn't you, choose a new password .*\/forgot-password/);
    expect(await emailOf(id)).toBe(email);
    expect(JSON.stringify(await harness.rows('SELECT c::text FROM email_changes c'))).not.toContain(token);
    expect(
      await harness.rows(
        `SELECT actor_id AS "actorId", details FROM audit_events
          WHERE account_id = $1 AND action = 'email.change_requested'`,
        [id],
      ),
    ).toEqual([{ actorId: id, details: { email: 'new-ada@example.org' } }]);
  });

  it('uses the language of the user, not that of the request', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson();
    await browser.call('PATCH', '/notifications', { json: { language: 'de' } });
    await requestEmailChange(browser, 'neue-ada@example.org');
    const [link] = await mailsTo(harness, 'neue-ada@example.org');
    expect(link!.subject).toBe('Bestätigen Sie Ihre neue E-Mail-Adresse');
    const notices = await mailsTo(harness, email);
    expect(notices.at(-1)!.subject).toBe('Eine neue E-Mail-Adresse wurde angefordert');
  });

  it('replaces an earlier link, whose email is then not sent', async () => {
    const browser = new DashboardClient(harness);
    await browser.newPerson();
    const earlier = await emailChangeToken(harness, browser, 'typo@example.org');
    const later = await emailChangeToken(harness, browser, 'right@example.org');
    expect(await mailsTo(harness, 'typo@example.org')).toEqual([]);
    expect(await completeEmailChange(browser, earlier)).toMatchObject({
      status: 400,
      body: { code: 'link_not_valid' },
    });
    expect((await completeEmailChange(browser, later)).status).toBe(200);
  });

  it('sends no link to an address that is taken, in any case of letters, but replaces an earlier link', async () => {
    const { email: taken } = await new DashboardClient(harness).newPerson();
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson('asks-for-taken@example.org');
    const earlier = await emailChangeToken(harness, browser, 'free-one@example.org');
    const { status, body } = await requestEmailChange(browser, taken.toUpperCase());
    expect({ status, body }).toEqual({ status: 202, body: {} });
    expect(await emailChangeTokens(harness, taken)).toEqual([]);
    expect(await emailChangeTokens(harness, taken.toUpperCase())).toEqual([]);
    expect((await mailsTo(harness, email)).at(-1)!.text).toContain(`New address: ${taken.toUpperCase()}`);
    expect((await completeEmailChange(browser, earlier)).status).toBe(400);
  });

  it('does the same work for free and taken addresses', async () => {
    const { email: taken } = await new DashboardClient(harness).newPerson();
    const work = async (email: string) => {
      const browser = new DashboardClient(harness);
      await browser.newPerson();
      return workOf(harness, () => requestEmailChange(browser, email));
    };
    const ofTaken = await work(taken);
    expect(ofTaken).toContain('mails_insert');
    expect(await work('certainly-free@example.org')).toEqual(ofTaken);
  });

  it('accepts another spelling of the current address', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson('GRACE.hopper@example.org');
    const token = await emailChangeToken(harness, browser, 'grace.hopper@example.org');
    expect((await completeEmailChange(browser, token)).status).toBe(200);
    expect(await emailOf(id)).toBe('grace.hopper@example.org');
  });
});
