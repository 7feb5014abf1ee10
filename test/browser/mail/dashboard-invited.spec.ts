import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { MailServer } from '../../support/mail/mail-server.js';
import { eventually } from '../../support/roles/flow-wait.js';

const OWNER = 'ada@example.com';
const GRACE = 'grace@example.com';
const GONE = 'gone@example.com';

describe('an invitation by mail', { timeout: 180_000 }, () => {
  let mails: MailServer;
  let dashboard: Dashboard;

  beforeAll(async () => {
    mails = await MailServer.start();
    const env = { SMTP_URL: mails.url, SMTP_FROM: 'mail@images.example' };
    dashboard = await Dashboard.start({ roles: ['api', 'dispatcher'], env });
    await dashboard.signUp(OWNER);
  }, 300_000);
  afterAll(async () => {
    await dashboard?.close();
    await mails?.down();
  });

  const row = (email: string) =>
    dashboard.page
      .getByRole('list', { name: 'Pending invitations' })
      .getByRole('listitem')
      .filter({ hasText: email });

  async function invite(email: string): Promise<string> {
    await dashboard.go('Members');
    await dashboard.button('Invite member').click();
    const dialog = dashboard.page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByText('They get the link by email').waitFor();
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await dialog.getByText(`We are mailing this link to ${email}`).waitFor();
    return (await dialog.getByTestId('invitation-link').textContent())!;
  }

  const close = () => dashboard.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

  it('carries the link that the dialog shows', async () => {
    const link = await invite(GRACE);
    await inspectPage(dashboard.page, 'members-link-mailed');
    await close();
    const mail = await eventually('the mail', () => ({ found: mails.to(GRACE)[0] }));
    expect(mail.subject).toBe('You are invited to Image Enhancement');
    expect(mail.text).toContain(link);
    const { page } = dashboard;
    const reader = await page.context().newPage();
    await reader.setContent(mail.html);
    await inspectPage(reader, 'mail-invitation');
    await reader.close();
    expect(dashboard.faults).toEqual([]);
  });

  it('that the mail server refuses is marked in the list', async () => {
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
      .toContain('Mail not delivered');
    expect(await row(GRACE).textContent()).not.toContain('Mail not delivered');
    await inspectPage(dashboard.page, 'members-mail-failed');
    expect(dashboard.faults).toEqual([]);
  });
});
