import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILS_PER_HOUR, UNVERIFIED_NOTICES_PER_DAY } from '../../../src/mail/mail-limits.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailsTo } from '../../support/mail/outbox.js';
import { addPasskey } from '../../support/sign-in/passkey-user.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';
import { turnOnTwoFactor } from '../../support/sign-in/two-factor-user.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

const changesOf = async (email: string) =>
  (await mailsTo(harness, email)).filter(({ kind }) => kind === 'sign_in_changed');

it('the owner is notified of every change to the sign-in methods, but not of refused changes', async () => {
  const browser = new DashboardClient(harness);
  const { id, email } = await browser.newPerson();
  await browser.call('PATCH', '/notifications', { json: { language: 'en' } });
  await turnOnTwoFactor(harness, browser, id);
  const refused = { json: { password: `not ${PASSWORD}` } };
  await browser.call('POST', '/two-factor/recovery-codes', refused);
  await browser.call('POST', '/two-factor/disable', refused);
  await browser.call('POST', '/two-factor/recovery-codes', { json: { password: PASSWORD } });
  const added = await addPasskey(browser, new SoftwareAuthenticator());
  const [passkey] = (added.body as { data: { id: string }[] }).data;
  await browser.call('DELETE', '/passkeys/unknown');
  await browser.call('DELETE', `/passkeys/${passkey!.id}`);
  // In the user's own language: the language of a request may be that of an attacker.
  const elsewhere = { json: { password: PASSWORD }, headers: { 'accept-language': 'fr' } };
  await browser.call('PATCH', '/notifications', { json: { language: 'de' } });
  await browser.call('POST', '/two-factor/disable', elsewhere);
  const mails = await changesOf(email);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Two-factor authentication is on',
    'New recovery codes',
    'A passkey was added',
    'A passkey was removed',
    'Zwei-Faktor-Authentifizierung ist ausgeschaltet',
  ]);
  for (const { text, accountId } of mails) {
    expect(text).toContain('https://images.example/base/account/security');
    expect(text).toContain('127.0.0.1');
    expect(accountId).toBe(id);
  }
});

it.each([
  { address: 'an unverified', verified: null, most: UNVERIFIED_NOTICES_PER_DAY },
  { address: 'a verified', verified: new Date(), most: MAILS_PER_HOUR.sign_in_changed },
])('$address address gets a limited number of these emails', async ({ verified, most }) => {
  const browser = new DashboardClient(harness);
  const { id, email } = await browser.newPerson();
  await harness.rows('UPDATE accounts SET email_verified_at = $2 WHERE id = $1', [id, verified]);
  for (let sent = 0; sent < most + 2; sent += 2) {
    const added = await addPasskey(browser, new SoftwareAuthenticator());
    const [passkey] = (added.body as { data: { id: string }[] }).data;
    expect((await browser.call('DELETE', `/passkeys/${passkey!.id}`)).status).toBe(200);
  }
  expect(await changesOf(email)).toHaveLength(most);
  // The owner also hears of a new password.
  const json = { currentPassword: PASSWORD, newPassword: `new ${PASSWORD}` };
  const changed = await browser.call('POST', '/account/password', { json });
  expect(changed.status, changed.text).toBe(200);
  const kinds = (await mailsTo(harness, email)).map(({ kind }) => kind);
  expect(kinds.at(-1)).toBe('password_changed');
});
