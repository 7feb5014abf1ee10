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

  /** The links that were sent to the new address, oldest first. */
  const links = (): string[] =>
    mails.to(NEW_EMAIL).flatMap(({ text }) => /http\S+\/change-email#\S+/.exec(text)?.[0] ?? []);
  const nextLink = (known: number): Promise<string> =>
    eventually('the link', () => {
      const found = links()[known];
      return found === undefined ? { seen: mails.asked } : { found };
    });
  const waiting = () => dashboard.page.getByText(`Waiting for confirmation of ${NEW_EMAIL}`);

  async function requestChange(): Promise<void> {
    const { page } = dashboard;
    await dashboard.button('Change…').click();
    await page.getByLabel('New email address').fill(NEW_EMAIL);
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
    await inspectPage(page, 'change-email-dialog');
    await dashboard.button('Send link').click();
    await waiting().waitFor();
  }

  it('is shown on the account page until it is canceled, and its link then does not work', async () => {
    const { page } = dashboard;
    await dashboard.open('/account');
    await requestChange();
    await page.getByText('If no other account has this address, a link is on its way.').waitFor();
    await dashboard.inspect('change-email-waiting');
    const link = await nextLink(0);
    await page.reload();
    await waiting().waitFor();
    await dashboard.button('Cancel change').click();
    await expect.poll(() => waiting().count()).toBe(0);
    await page.goto(link);
    await page.getByText("This link doesn't work").waitFor();
    await inspectPage(page, 'change-email-dead');
  });

  it('can be sent again, and the page of the new link names both addresses in the language of the user', async () => {
    const { page } = dashboard;
    await dashboard.open('/account');
    const known = links().length;
    await requestChange();
    const earlier = await nextLink(known);
    await dashboard.button('Send link again').click();
    await page.getByText('We sent a new link. Links in earlier emails no longer work.').waitFor();
    const later = await nextLink(known + 1);
    expect(later).not.toBe(earlier);
    await page.goto(earlier);
    await page.getByText("This link doesn't work").waitFor();
    await dashboard.open('/account');
    await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de');
    await page.getByText(`Wartet auf Bestätigung von ${NEW_EMAIL}`).waitFor();
    await inspectPage(page, 'change-email-waiting-de');
    await page.goto(later);
    await page.getByText(NEW_EMAIL).waitFor();
    await page.getByText(EMAIL, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Neue Adresse bestätigen' }).waitFor();
    await inspectPage(page, 'change-email-confirm-de');
    await dashboard.open('/account');
    await page.getByRole('combobox', { name: 'Sprache', exact: true }).selectOption('en');
    // The page is loaded again in the other language.
    await page.getByRole('combobox', { name: 'Language', exact: true }).waitFor();
  });

  it('names no address to another user, who has the link', async () => {
    const { page } = dashboard;
    const link = links().at(-1)!;
    await dashboard.signUp('grace@example.com');
    await page.goto(link);
    await page.getByText('This link is for another user').waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain(NEW_EMAIL);
    await inspectPage(page, 'change-email-other-user');
    await dashboard.button('Sign out').click();
    await page.getByText('Sign in with your current email address first.').waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain(NEW_EMAIL);
  });

  it('is confirmed by the link in the email, also after signing in again', async () => {
    const { page } = dashboard;
    const link = links().at(-1)!;
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(link);
    await inspectPage(page, 'change-email-signed-out');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dashboard.button('Sign in').click();
    await page.getByText(NEW_EMAIL).waitFor();
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
    await dashboard.open('/account');
    await page.getByText(NEW_EMAIL).first().waitFor();
    expect(await waiting().count()).toBe(0);
    await page.goto(link);
    await page.getByText("This link doesn't work").waitFor();
    expect(dashboard.faults).toEqual([]);
  });
});
