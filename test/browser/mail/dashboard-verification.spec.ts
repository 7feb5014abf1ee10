import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dashboard } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { startMailDashboard } from '../../support/mail/mail-dashboard.js';
import type { MailServer } from '../../support/mail/mail-server.js';
import { eventually } from '../../support/roles/flow-wait.js';

const EMAIL = 'grace@example.com';

describe('the email address of a new account', () => {
  let mails: MailServer;
  let dashboard: Dashboard;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ mails, dashboard, close } = await startMailDashboard(EMAIL));
  });
  afterAll(() => close?.());

  const links = (count: number): Promise<string[]> =>
    eventually(`${count} links`, () => {
      const found = mails.to(EMAIL).flatMap(({ text }) => /http\S+\/verify-email#\S+/.exec(text)?.[0] ?? []);
      return found.length >= count ? { found } : { seen: found };
    });

  it('needs confirmation, and a banner can send the link again', async () => {
    const { page } = dashboard;
    await page.getByText(`Open the link that we sent to ${EMAIL}.`).waitFor();
    await inspectPage(page, 'verification-banner');
    await dashboard.button('Send again').click();
    await page.getByText(`We sent a link to ${EMAIL}.`).waitFor();
    expect(new Set(await links(2)).size).toBe(2);
  });

  it('is confirmed with a first link when none was sent before', async () => {
    const { page, service } = dashboard;
    // As for an account that was created before the service sent mail.
    await service.database.rows('UPDATE email_verifications SET expires_at = now()');
    await page.reload();
    await page.getByText(`Send a link to ${EMAIL}, then open it.`).waitFor();
    await service.database.rows("UPDATE email_verifications SET expires_at = now() + interval '1 day'");
    await dashboard.button('Send link').click();
    await page.getByText(`We sent a link to ${EMAIL}.`).waitFor();
    await dashboard.button('Send again').waitFor();
    expect(new Set(await links(3)).size).toBe(3);
  });

  it('can be confirmed with either link, which removes the banner', async () => {
    const { page } = dashboard;
    const [first] = await links(1);
    const tab = await page.context().newPage();
    // Without the refetch of the session every minute.
    await tab.addInitScript(() => Object.assign(window, { setInterval: () => 0 }));
    await tab.goto(`${dashboard.service.baseUrl}/account`);
    await tab.getByText('Confirm your email address').waitFor();
    await page.goto(first!);
    await page.getByText('Address confirmed').waitFor();
    // The user returns to the other tab. A headless page is always visible, so it gets no such event by itself.
    await tab.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(() => tab.getByText('Confirm your email address').count()).toBe(0);
    await tab.close();
    await inspectPage(page, 'verify-email');
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await dashboard.heading('Playground').waitFor();
    expect(await page.getByText('Confirm your email address').count()).toBe(0);
    await dashboard.open('/verify-email#nothing');
    await page.getByText("This link doesn't work").waitFor();
    await inspectPage(page, 'verify-email-dead');
    expect(dashboard.faults).toEqual([]);
  });
});
