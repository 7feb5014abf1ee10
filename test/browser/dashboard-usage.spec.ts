import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { inspectPage } from '../support/browser/inspect-page.js';
import { photo } from '../support/images/images.js';
import type { SharedService } from '../support/roles/shared-service.js';

const EMAIL = `usage-${process.pid}@example.com`;

describe('the usage page', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    const sourceUrl = await dashboard.upload(await photo(64, 48, 'jpeg'));
    await dashboard.call('POST', '/ai/enhance', { sourceUrl, operation: 'auto_enhance', level: 'low' });
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  it('downloads the displayed days as CSV', async () => {
    const { page } = dashboard;
    await dashboard.go('Usage');
    await page.getByText('7 days').click();
    const link = page.getByRole('link', { name: 'Download CSV' });
    const today = new Date().toISOString().slice(0, 10);
    await expect
      .poll(() => link.getAttribute('href'))
      .toBe(
        `/dashboard/api/usage/export?from=${new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10)}`,
      );
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^usage-[\d-]{10}-[\d-]{10}\.csv$/);
    expect(await readFile(await download.path(), 'utf8')).toBe(
      `day,key_id,key_name,operation,enhancements\r\n${today},,Dashboard,auto_enhance,1\r\n`,
    );
    await inspectPage(page, 'usage-export');
  });

  it('names the day in UTC on which the count resets, in every time zone', async () => {
    const { page } = dashboard;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Los_Angeles' });
    await page.reload();
    const note = page.getByText(/^Resets on /);
    expect(await note.textContent()).toMatch(/^Resets on [A-Z][a-z]{2} 1, \d{4} \(UTC\)$/);
  });

  it('shows every tab of the history on a phone, in German, too', async () => {
    const { page } = dashboard;
    const desktop = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    const tabs = page.getByRole('tab');
    /** Pixels by which each tab is outside of its list. */
    const cutOff = () =>
      tabs.evaluateAll((all) =>
        all.map((tab) => {
          const [inner, outer] = [tab, tab.parentElement!].map((element) => element.getBoundingClientRect());
          return Math.max(0, outer!.left - inner!.left, Math.round(inner!.right - outer!.right));
        }),
      );
    await tabs.first().waitFor();
    expect(await cutOff()).toEqual([0, 0, 0, 0]);
    await page.evaluate(() => localStorage.setItem('language', 'de'));
    await page.reload();
    await page.getByRole('tab', { name: 'Tabelle' }).waitFor();
    expect(await cutOff()).toEqual([0, 0, 0, 0]);
    await page.setViewportSize(desktop);
  });
});
