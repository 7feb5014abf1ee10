import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { startMailDashboard } from '../../support/mail/mail-dashboard.js';
import type { MailServer } from '../../support/mail/mail-server.js';
import { eventually } from '../../support/roles/flow-wait.js';

const EMAIL = 'ada@example.com';
const NEW_PASSWORD = 'a new password that nobody guesses';

describe('a forgotten password', () => {
  let mails: MailServer;
  let dashboard: Dashboard;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ mails, dashboard, close } = await startMailDashboard(EMAIL));
    await dashboard.page.context().clearCookies();
  });
  afterAll(() => close?.());

  const field = (name: string) => dashboard.page.getByLabel(name, { exact: true });

  /** The link in the latest email to an address. */
  async function linkTo(address: string, count: number): Promise<string> {
    const received = await eventually(`${count} mails`, () => {
      const found = mails.to(address).filter(({ text }) => text.includes('/reset-password#'));
      return found.length >= count ? { found } : { seen: found.length };
    });
    return /http\S+\/reset-password#\S+/.exec(received.at(-1)!.text)![0];
  }

  async function ask(address: string): Promise<void> {
    await dashboard.open('/forgot-password');
    await field('Email address').fill(address);
    await dashboard.button('Send link').click();
    await dashboard.page.getByText('Check your inbox').waitFor();
  }

  it('can be reported on the sign-in page', async () => {
    await dashboard.open('/sign-in');
    await dashboard.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await dashboard.heading('Forgot your password?').waitFor();
    await inspectPage(dashboard.page, 'forgot-password');
    await dashboard.button('Send link').click();
    await dashboard.page.getByText('Enter your email address.').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('gets the same response for an unknown address, which receives no email', async () => {
    await ask('stranger@example.com');
    const said = await dashboard.page.getByRole('status').textContent();
    await ask(EMAIL);
    expect((await dashboard.page.getByRole('status').textContent())!.replace(EMAIL, '')).toBe(
      said!.replace('stranger@example.com', ''),
    );
    await inspectPage(dashboard.page, 'forgot-password-sent');
    await linkTo(EMAIL, 1);
    expect(mails.asked).not.toContain('stranger@example.com');
  });

  it('can be replaced through the link in the email, once', async () => {
    const { page } = dashboard;
    const link = await linkTo(EMAIL, 1);
    await page.goto(link);
    await dashboard.heading('Choose a new password').waitFor();
    await inspectPage(page, 'reset-password');
    await field('New password').fill('short');
    await dashboard.button('Change password').click();
    await page.getByText('Use at least 12 characters: add 7 more.').waitFor();
    await field('New password').fill(EMAIL);
    await dashboard.button('Change password').click();
    await page.getByText("Don't use your email address.").waitFor();
    await field('New password').fill(NEW_PASSWORD);
    await dashboard.button('Change password').click();
    await page.getByText('All devices were signed out.').waitFor();
    await inspectPage(page, 'reset-password-done');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await field('Email address').fill(EMAIL);
    await field('Password').fill(PASSWORD);
    await dashboard.button('Sign in').click();
    await page.getByText('Incorrect email or password').first().waitFor();
    await field('Password').fill(NEW_PASSWORD);
    await dashboard.button('Sign in').click();
    await dashboard.heading('Playground').waitFor();

    await page.goto('about:blank');
    await page.goto(link);
    await field('New password').fill(PASSWORD);
    await dashboard.button('Change password').click();
    await page.getByText("This link doesn't work").waitFor();
    await inspectPage(page, 'reset-password-dead');
    // Another link in the same tab changes only the part of the address behind `#`.
    await page.goto(`${link.split('#')[0]}#another`);
    await field('New password').fill(PASSWORD);
    await dashboard.button('Change password').click();
    await page.getByRole('link', { name: 'Get a new link' }).click();
    await dashboard.heading('Forgot your password?').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('leads to a notice to the owner after the change', async () => {
    const notice = await eventually('the notice', () => {
      const found = mails.to(EMAIL).find(({ subject }) => subject === 'Your password was changed');
      return { found, seen: mails.to(EMAIL).map(({ subject }) => subject) };
    });
    expect(notice.text).toContain('all devices were signed out.');
  });

  it("leads to an email in German if the user's settings say so", async () => {
    const { page } = dashboard;
    await dashboard.service.database.rows(
      "UPDATE notification_settings SET language = 'de' WHERE user_id = (SELECT id FROM accounts WHERE email = $1)",
      [EMAIL],
    );
    await dashboard.open('/forgot-password');
    await page.evaluate("localStorage.setItem('language', 'de')");
    await page.reload();
    await field('E-Mail-Adresse').fill(EMAIL);
    await dashboard.button('Link senden').click();
    await page.getByText('Sehen Sie in Ihrem Postfach nach').waitFor();
    await linkTo(EMAIL, 2);
    const mail = mails.to(EMAIL).at(-1)!;
    expect(mail.subject).toBe('Neues Passwort wählen');
    await page.setContent(mail.html);
    await inspectPage(page, 'mail-password-reset');
    expect(dashboard.faults).toEqual([]);
  });
});

describe('a forgotten password on a service without email', () => {
  it('must be reset by the operator, as the sign-in page says', async () => {
    const dashboard = await Dashboard.join();
    try {
      await dashboard.open('/sign-in');
      await dashboard.page.getByText('Ask the operator of this service for a link').waitFor();
      expect(await dashboard.page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
      await inspectPage(dashboard.page, 'sign-in-without-mail');
      await dashboard.open('/forgot-password');
      await dashboard.page.getByText('Ask its operator for a link').waitFor();
    } finally {
      await dashboard.close();
    }
  });
});
