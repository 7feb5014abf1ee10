import { afterAll, beforeAll, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailsTo } from '../../support/mail/outbox.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

it.each([
  { language: 'en', text: 'All devices were signed out, except the one that changed it.' },
  { language: 'de', text: 'Alle Geräte wurden abgemeldet, außer dem, auf dem es geändert wurde.' },
])('the notice of a changed password says that one device stays signed in: $language', async (expected) => {
  const browser = new DashboardClient(harness);
  const { email } = await browser.newPerson();
  await browser.call('PATCH', '/notifications', { json: { language: expected.language } });
  const json = { currentPassword: PASSWORD, newPassword: 'the moon was made of cheese' };
  expect((await browser.call('POST', '/account/password', { json })).status).toBe(200);
  expect((await browser.call('GET', '/keys')).status).toBe(200);
  const mails = await mailsTo(harness, email);
  const notice = mails.find(({ kind }) => kind === 'password_changed');
  expect(notice?.text).toContain(expected.text);
});
