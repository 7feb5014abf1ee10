import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import type { SharedService } from '../../support/roles/shared-service.js';

describe('a preset that is deleted elsewhere', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(`presets-${process.pid}@example.com`);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const field = () => dashboard.page.getByLabel('Preset', { exact: true });
  const notice = (name: string) =>
    dashboard.page.getByRole('status').getByText(`The preset ${name} was deleted elsewhere.`);

  /** Saves two presets and chooses the first one. */
  async function choose(name: string): Promise<void> {
    for (const [saved, level] of [
      [name, 'high'],
      ['other', 'low'],
    ]) {
      const operations = [{ operation: 'auto_enhance', level }];
      await dashboard.call('PUT', `/ai/presets/${saved}`, { operations });
    }
    await dashboard.page.reload();
    await field().selectOption(name);
    await dashboard.button('Delete preset').waitFor();
  }
  const deleteElsewhere = (name: string) =>
    dashboard.page.evaluate(async (path) => {
      const session = await (await fetch('/dashboard/api/session')).json();
      await fetch(path, { method: 'DELETE', headers: { 'x-csrf-token': session.csrfToken } });
    }, `/dashboard/api/ai/presets/${name}`);

  it('is no longer chosen when the user returns to the tab, and its settings are kept', async () => {
    const { page } = dashboard;
    await choose('shop');
    await deleteElsewhere('shop');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await notice('shop').waitFor();
    expect(await field().inputValue()).toBe('');
    expect(await page.getByRole('radio', { name: 'High' }).isChecked()).toBe(true);
    await inspectPage(page, 'playground-lost-preset');
    await page.getByText('Medium', { exact: true }).click();
    await notice('shop').waitFor({ state: 'detached' });
  });

  it('closes the dialog that deletes it, and the next preset is not offered for deletion', async () => {
    const { page } = dashboard;
    await choose('shop');
    await dashboard.button('Delete preset').click();
    await deleteElsewhere('shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete preset' }).click();
    await notice('shop').waitFor();
    await field().selectOption('other');
    await dashboard.button('Delete preset').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await dashboard.button('Delete preset').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete preset' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => field().inputValue()).toBe('');
    expect(await notice('other').count()).toBe(0);
    expect(dashboard.faults).toEqual([]);
  });
});
