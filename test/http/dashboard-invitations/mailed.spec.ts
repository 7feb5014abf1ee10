import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_MAILED_PER_HOUR } from '../../../src/accounts/invitations/invitation-mails.js';
import { MAILS_PER_HOUR } from '../../../src/mail/mail-limits.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { invite, renew } from '../../support/app/invitations.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailedEarlier, mailsTo } from '../../support/mail/outbox.js';
import { completeEmailChange, emailChangeToken } from '../../support/sign-in/email-changes.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

let addresses = 0;
const newAddress = (): string => `invited-${(addresses += 1)}@example.org`;

async function newOwner(): Promise<{ browser: DashboardClient; id: string; email: string }> {
  const browser = new DashboardClient(harness);
  return { browser, ...(await browser.newPerson(newAddress())) };
}

const create = (browser: DashboardClient, email: string, headers: Record<string, string> = {}) =>
  browser.call('POST', '/invitations', { json: { email, role: 'viewer' }, headers });

const statusesTo = (address: string) =>
  harness.rows<{ status: string; content: boolean }>(
    `SELECT status, sealed_content IS NOT NULL AS content FROM mails WHERE recipient = $1 ORDER BY id`,
    [address],
  );

const DISCARDED = { status: 'discarded', content: false };

describe('an invitation when the service sends email', () => {
  it('is emailed to the invited address, and its link is shown as well', async () => {
    const owner = await newOwner();
    const email = newAddress();
    const { url, id } = await invite(owner.browser, email, 'billing');
    const [mail, ...others] = await mailsTo(harness, email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      kind: 'invitation',
      accountId: owner.id,
      subject: "You've been invited to Image Enhancement",
    });
    expect(mail!.text).toContain(`\n${url}\n`);
    expect(mail!.html).toContain(`href="${url}"`);
    expect(mail!.text).toContain(`Invited by: ${owner.email}\nRole: Billing`);
    const { body } = await owner.browser.call('GET', '/invitations');
    expect(body).toMatchObject({ data: [{ id, mail: 'pending' }] });
    const [row] = await harness.rows(
      `SELECT round(extract(epoch FROM m.expires_at - i.expires_at))::int AS apart
         FROM invitations i JOIN mails m ON m.id = i.mail_id WHERE i.id = $1`,
      [id],
    );
    expect(Math.abs((row as { apart: number }).apart)).toBeLessThan(60);
  });

  it('is written in the language of the inviter, and escapes the name of the organization', async () => {
    const { browser } = await newOwner();
    const name = 'Evil <b>Corp</b> & Sons';
    expect((await browser.call('POST', '/organizations', { json: { name } })).status).toBe(201);
    const email = newAddress();
    const { status, text } = await create(browser, email, { 'accept-language': 'de-AT,en;q=0.5' });
    expect(status, text).toBe(201);
    const [mail] = await mailsTo(harness, email);
    expect(mail).toMatchObject({ subject: 'Einladung zu Image Enhancement' });
    expect(mail!.text).toContain(`Organisation: ${name}`);
    expect(mail!.html).toContain('Evil &lt;b&gt;Corp&lt;/b&gt; &amp; Sons');
    expect(mail!.html).not.toContain('<b>');
  });

  it('shows whether its email was sent', async () => {
    const { browser } = await newOwner();
    const email = newAddress();
    const { id } = await invite(browser, email);
    for (const [stored, shown] of [
      ['sent', 'sent'],
      ['refused', 'failed'],
      ['given_up', 'failed'],
    ]) {
      await harness.rows(
        `UPDATE mails SET status = $2, due_at = NULL, ended_at = now() WHERE recipient = $1`,
        [email, stored],
      );
      expect((await browser.call('GET', '/invitations')).body).toMatchObject({ data: [{ id, mail: shown }] });
    }
    await harness.rows('DELETE FROM mails WHERE recipient = $1', [email]);
    expect((await browser.call('GET', '/invitations')).body).toMatchObject({ data: [{ id, mail: null }] });
  });

  it('is not emailed when it is refused', async () => {
    const { browser, email } = await newOwner();
    const sent = await statusesTo(email);
    expect((await create(browser, email)).status).toBe(409);
    expect(await statusesTo(email)).toEqual(sent);
  });
});

describe('an invitation email that has not been sent', () => {
  it('is discarded with its content when the invitation is revoked', async () => {
    const { browser } = await newOwner();
    const email = newAddress();
    const { id } = await invite(browser, email);
    expect((await browser.call('DELETE', `/invitations/${id}`)).status).toBe(204);
    expect(await statusesTo(email)).toEqual([DISCARDED]);
  });

  it('is discarded when the link is replaced, and the new link is emailed', async () => {
    const { browser } = await newOwner();
    const email = newAddress();
    const { id } = await invite(browser, email);
    const { url } = await renew(browser, id);
    expect(await statusesTo(email)).toEqual([DISCARDED, { status: 'pending', content: true }]);
    expect((await mailsTo(harness, email))[0]!.text).toContain(url);
  });

  it('is discarded when the invitation is accepted with the displayed link', async () => {
    const { browser } = await newOwner();
    const guest = await newOwner();
    const { token, id } = await invite(browser, guest.email);
    const accepted = await guest.browser.call('POST', '/invitation/accept', { json: { token } });
    expect(accepted.status, accepted.text).toBe(200);
    const rows = await harness.rows(
      'SELECT m.status FROM invitations i JOIN mails m ON m.id = i.mail_id WHERE i.id = $1',
      [id],
    );
    expect(rows).toEqual([{ status: 'discarded' }]);
  });

  it('is discarded when the inviter is removed or deletes their account', async () => {
    const owner = await newOwner();
    const [first, second] = [newAddress(), newAddress()];
    for (const email of [first, second]) {
      const admin = await newOwner();
      const { token } = await invite(owner.browser, admin.email, 'admin');
      await admin.browser.call('POST', '/invitation/accept', { json: { token } });
      await invite(admin.browser, email, 'viewer');
      if (email === first) {
        expect((await owner.browser.call('DELETE', `/members/${admin.id}`)).status).toBe(204);
      } else {
        expect(
          (await admin.browser.call('POST', `/organizations/${admin.id}/switch`, { json: {} })).status,
        ).toBe(200);
        const gone = await admin.browser.call('POST', '/account/delete', {
          json: { password: PASSWORD, confirmation: admin.email },
        });
        expect(gone.status, gone.text).toBe(204);
      }
      expect(await statusesTo(email), email).toEqual([DISCARDED]);
    }
  });
});

describe('the number of invitation emails', () => {
  const expectLimited = (answer: { status: number; body: unknown; headers: Record<string, unknown> }) => {
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
  };

  it('by one user is limited per hour across all organizations, even for concurrent requests', async () => {
    const { browser } = await newOwner();
    for (let sent = 0; sent < MAX_MAILED_PER_HOUR - 3; sent += 1) await invite(browser, newAddress());
    await browser.call('POST', '/organizations', { json: { name: 'Second' } });
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(browser, newAddress())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectLimited(answer);
    await mailedEarlier(harness);
    await invite(browser, newAddress());
  });

  it('by one user is limited regardless of changes of their address', async () => {
    const { browser } = await newOwner();
    await browser.call('POST', '/organizations', { json: { name: 'First' } });
    for (let sent = 0; sent < MAX_MAILED_PER_HOUR; sent += 1) await invite(browser, newAddress());
    const token = await emailChangeToken(harness, browser, newAddress());
    expect((await completeEmailChange(browser, token)).status).toBe(200);
    await browser.call('GET', '/session');
    const second = await browser.call('POST', '/organizations', { json: { name: 'Second' } });
    expect(second.status, second.text).toBe(201);
    expectLimited(await create(browser, newAddress()));
  });

  it('to one address is limited per hour across all organizations', async () => {
    const victim = newAddress();
    const strangers = await Promise.all(
      Array.from({ length: MAILS_PER_HOUR.invitation + 2 }, () => newOwner()),
    );
    const answers = await Promise.all(
      strangers.map(({ browser }, index) => create(browser, index % 2 === 0 ? victim : victim.toUpperCase())),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAILS_PER_HOUR.invitation);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) expectLimited(answer);
    const rows = await harness.rows('SELECT FROM mails WHERE lower(recipient) = $1', [victim]);
    expect(rows).toHaveLength(MAILS_PER_HOUR.invitation);
  });
});

describe('the limits of invitation emails', () => {
  it('also count those of an organization that was deleted', async () => {
    const { browser, email } = await newOwner();
    const victim = newAddress();
    const name = 'Short-lived';
    const json = { password: PASSWORD, confirmation: name };
    for (let round = 0; round < MAILS_PER_HOUR.invitation; round += 1) {
      const made = await browser.call('POST', '/organizations', { json: { name } });
      expect(made.status, made.text).toBe(201);
      expect((await create(browser, victim)).status).toBe(201);
      const gone = await browser.call('POST', '/account/delete', { json });
      expect(gone.status, gone.text).toBe(204);
      // For the token of the account that the session returned to.
      await browser.call('GET', '/session');
    }
    expect((await create(browser, victim)).status).toBe(429);
    for (let sent = MAILS_PER_HOUR.invitation; sent < MAX_MAILED_PER_HOUR; sent += 1)
      await invite(browser, newAddress());
    expect((await create(browser, newAddress())).status, email).toBe(429);
  });
});

describe('an invitation when the service sends no email', () => {
  it('shows that it was not emailed', async () => {
    const quiet = await startHarness({ env: {} });
    try {
      const browser = new DashboardClient(quiet);
      await browser.newPerson();
      const { status, body } = await create(browser, 'quiet@example.org');
      expect({ status, body: body as unknown }).toMatchObject({ status: 201, body: { mail: null } });
      expect(await quiet.rows(`SELECT FROM mails WHERE recipient = 'quiet@example.org'`)).toEqual([]);
    } finally {
      await quiet.close();
    }
  });
});
