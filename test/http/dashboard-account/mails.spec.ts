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

it.each([
  { language: 'en', subject: 'Your account was deleted', account: 'Account' },
  { language: 'de', subject: 'Ihr Konto wurde gelöscht', account: 'Konto' },
])('the user who deleted an account is told: $language', async ({ language, subject, account }) => {
  const browser = new DashboardClient(harness);
  const { id, email } = await browser.newPerson();
  await browser.call('PATCH', '/notifications', { json: { language } });
  const json = { password: PASSWORD, confirmation: email };
  expect((await browser.call('POST', '/account/delete', { json })).status).toBe(204);
  expect(await harness.rows('SELECT FROM accounts WHERE id = $1', [id])).toEqual([]);
  const mails = await mailsTo(harness, email);
  expect(mails).toMatchObject([{ kind: 'account_deleted', accountId: null, subject }]);
  expect(mails[0]!.text).toContain(`${account}: ${email}\n`);
  expect(mails[0]!.text).toContain('127.0.0.1');
});

it('the user who deleted an organization is told, in their account', async () => {
  const browser = new DashboardClient(harness);
  const { email } = await browser.newPerson();
  const name = 'Short-lived';
  expect((await browser.call('POST', '/organizations', { json: { name } })).status).toBe(201);
  const json = { password: PASSWORD, confirmation: name };
  expect((await browser.call('POST', '/account/delete', { json })).status).toBe(204);
  const mail = (await mailsTo(harness, email)).find(({ kind }) => kind === 'account_deleted');
  expect(mail).toMatchObject({ accountId: null, subject: 'Your organization was deleted' });
  expect(mail!.text).toContain(`Organization: ${name}\n`);
});

it('no email says that an account was deleted if it was not', async () => {
  const browser = new DashboardClient(harness);
  const { email } = await browser.newPerson();
  const json = { password: 'a wrong password', confirmation: email };
  expect((await browser.call('POST', '/account/delete', { json })).status).toBe(403);
  expect((await mailsTo(harness, email)).map(({ kind }) => kind)).not.toContain('account_deleted');
});
