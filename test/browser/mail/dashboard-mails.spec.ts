import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { startMailDashboard } from '../../support/mail/mail-dashboard.js';
import type { MailServer } from '../../support/mail/mail-server.js';
import { eventually } from '../../support/roles/flow-wait.js';

const OWNER = 'ada@example.com';
const GRACE = 'grace@example.com';
const GONE = 'gone@example.com';

describe('the dashboard of a service that sends email', () => {
  let mails: MailServer;
  let dashboard: Dashboard;
  let closeAll: () => Promise<void>;

  beforeAll(async () => {
    ({ mails, dashboard, close: closeAll } = await startMailDashboard(OWNER));
  });
  afterAll(() => closeAll?.());

  const row = (email: string) =>
    dashboard.page
      .getByRole('list', { name: 'Pending invitations' })
      .getByRole('listitem')
      .filter({ hasText: email });

  async function invite(email: string): Promise<string> {
    await dashboard.go('Members');
    await dashboard.button('Invite member').click();
    const dialog = dashboard.page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill(email);
    await dialog.getByText('We email them the link').waitFor();
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await dialog.getByText(`We're emailing this link to ${email}`).waitFor();
    return (await dialog.getByTestId('invitation-link').textContent())!;
  }

  const close = () => dashboard.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

  it('emails an invitation with the link that the dialog shows', async () => {
    const link = await invite(GRACE);
    await inspectPage(dashboard.page, 'members-link-mailed');
    await close();
    const mail = await eventually('the mail', () => ({ found: mails.to(GRACE)[0] }));
    expect(mail.subject).toBe("You've been invited to Image Enhancement");
    expect(mail.text).toContain(link);
    const { page } = dashboard;
    const reader = await page.context().newPage();
    await reader.setContent(mail.html);
    await inspectPage(reader, 'mail-invitation');
    await reader.close();
    expect(dashboard.faults).toEqual([]);
  });

  it('marks an invitation that the mail server rejects', async () => {
    mails.answers.set(GONE, { code: 550, text: 'no such mailbox', at: 'recipient' });
    await invite(GONE);
    await close();
    await expect
      .poll(
        async () => {
          await dashboard.page.reload();
          await row(GONE).waitFor();
          return row(GONE).textContent();
        },
        { timeout: 60_000 },
      )
      .toContain('Email not delivered');
    expect(await row(GRACE).textContent()).not.toContain('Email not delivered');
    await inspectPage(dashboard.page, 'members-mail-failed');
    expect(dashboard.faults).toEqual([]);
  });

  it('has switches for notifications on the account page, except for security', async () => {
    const { page } = dashboard;
    await dashboard.open('/account');
    const section = page.getByRole('region', { name: 'Email notifications' });
    await section.getByLabel('Quota').waitFor();
    expect(await section.getByLabel('Security').isDisabled()).toBe(true);
    await section.getByRole('switch', { name: 'Quota' }).uncheck();
    await section.getByLabel('Language of emails').selectOption({ label: 'Deutsch' });
    await expect
      .poll(() => dashboard.call('GET', '/notifications'))
      .toEqual({ language: 'de', quota: false, webhooks: true });
    await page.reload();
    await section.getByLabel('Quota').waitFor();
    expect(await section.getByLabel('Quota').isChecked()).toBe(false);
    expect(await section.getByLabel('Webhooks').isChecked()).toBe(true);
    await inspectPage(page, 'account-notifications');
    expect(dashboard.faults).toEqual([]);
  });

  it("warns of a new device in the user's language", async () => {
    const { page } = dashboard;
    const browser = await page.context().browser()!.newContext({ userAgent: 'Other/1.0', locale: 'en-US' });
    const stranger = await browser.newPage();
    await stranger.goto(`${dashboard.service.baseUrl}/sign-in`);
    await stranger.getByLabel('Email address').fill(OWNER);
    await stranger.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('heading', { name: 'Playground', exact: true }).waitFor();
    const mail = await eventually('the mail', () => ({
      found: mails.to(OWNER).find(({ subject }) => subject === 'Neue Anmeldung bei Ihrem Konto'),
    }));
    expect(mail.text).toContain('Gerät: Other\n');
    await stranger.setContent(mail.html);
    await inspectPage(stranger, 'mail-new-sign-in');
    await browser.close();
  });
});
