import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { startMailDashboard } from '../../support/mail/mail-dashboard.js';
import type { MailServer } from '../../support/mail/mail-server.js';
import { eventually } from '../../support/roles/flow-wait.js';

const EMAIL = 'ada@example.com';
const NEW_EMAIL = 'ada.lovelace@example.com';

describe('a change of the email address', () => {
  let mails: MailServer;
  let dashboard: Dashboard;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ mails, dashboard, close } = await startMailDashboard(EMAIL));
  });
  afterAll(() => close?.());

  it('is confirmed by the link in the email, also after signing in again', async () => {
    const { page } = dashboard;
    await dashboard.open('/account');
    await dashboard.button('Change…').click();
    await page.getByLabel('New email address').fill(NEW_EMAIL);
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
    await inspectPage(page, 'change-email-dialog');
    await dashboard.button('Send link').click();
    await page.getByText(`If no other account has ${NEW_EMAIL}, a link is on its way.`).waitFor();
    await inspectPage(page, 'change-email-sent');
    const link = await eventually('the link', () => {
      const found = mails.to(NEW_EMAIL).map(({ text }) => /http\S+\/change-email#\S+/.exec(text)?.[0])[0];
      return found === undefined ? { seen: mails.asked } : { found };
    });
    await page.context().clearCookies();
    await page.goto(link);
    await inspectPage(page, 'change-email-signed-out');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dashboard.button('Sign in').click();
    await page.getByText(`You are signed in as ${EMAIL}.`).waitFor();
    await inspectPage(page, 'change-email-confirm');
    await dashboard.button('Confirm new address').click();
    await page.getByText(`You now sign in with ${NEW_EMAIL}.`).waitFor();
    await inspectPage(page, 'change-email-done');
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await dashboard.heading('Playground').waitFor();
    await eventually('the notice', () => {
      const subjects = mails.to(EMAIL).map(({ subject }) => subject);
      return subjects.includes('Your email address was changed') ? { found: subjects } : { seen: subjects };
    });
    await page.goto(link);
    await dashboard.button('Confirm new address').click();
    await page.getByText("This link doesn't work").waitFor();
    expect(dashboard.faults).toEqual([]);
  });
});
