import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const EMAIL = `data-${process.pid}@example.com`;

describe('the data of an account', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    await dashboard.call('POST', '/keys', { name: 'Laptop' });
  });
  afterAll(() => dashboard?.close());

  it('is downloaded as a file, after the password', async () => {
    const { page } = dashboard;
    await dashboard.open('/account');
    await dashboard.inspect('download-data');
    await dashboard.button('Download data…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill('not my password');
    await dialog.getByRole('button', { name: 'Download' }).click();
    await dialog.getByText('The password is incorrect', { exact: false }).waitFor();
    await dashboard.inspect('download-data-dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^account-data-\d{4}-\d\d-\d\d\.json$/);
    const data = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>;
    expect(data).toMatchObject({ account: { email: EMAIL }, apiKeys: [{ name: 'Laptop' }], jobs: [] });
    await page.getByText('Your download has started.').waitFor();
    await dashboard.open('/activity');
    await page.getByText('Data of the account downloaded').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('is offered in German, and on a phone', async () => {
    const { page } = dashboard;
    await dashboard.open('/account');
    await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de');
    await page.getByRole('heading', { name: 'Ihre Daten herunterladen' }).waitFor();
    await dashboard.inspect('download-data-de');
    expect(dashboard.faults).toEqual([]);
  });
});
