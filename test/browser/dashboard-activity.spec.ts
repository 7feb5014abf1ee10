import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { inspectPage } from '../support/browser/inspect-page.js';
import type { SharedService } from '../support/roles/shared-service.js';

const RUN_MS = 120_000;

describe('keys and their activity log', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp('activity@example.com');
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const dialog = () => dashboard.page.getByRole('dialog');
  const row = (name: string) => dashboard.page.getByRole('article', { name: `Key ${name}` });
  const field = (label: string) => dialog().getByLabel(label);
  const submit = (name: string) => dialog().getByRole('button', { name }).click();

  async function edit(name: string): Promise<void> {
    await dashboard.button(`Edit ${name}`).click();
    await dialog().waitFor();
  }

  const inspect = (name: string) => inspectPage(dashboard.page, name);

  it('a key can be created with allowed addresses and a last day', { timeout: RUN_MS }, async () => {
    await dashboard.go('API keys');
    await dashboard.button('Create key').click();
    await field('Name').fill('Shop backend');
    await field('Allowed IP addresses').fill('203.0.113.7');
    await field('Expires').selectOption({ label: 'On a date…' });
    await submit('Create key');
    await dialog().getByText('Choose a date.').waitFor();
    await field('Last day').fill('2020-01-31');
    await submit('Create key');
    await dialog().getByText('Choose today or a later date.').waitFor();
    await inspect('key-dialog');
    await field('Last day').fill('2099-12-31');
    await submit('Create key');
    await dialog().getByText('Your new key').waitFor();
    await submit("I've copied it");
    await row('Shop backend').getByText('Only from 203.0.113.7').waitFor();
    const end = row('Shop backend').locator('time').last();
    expect(await end.getAttribute('datetime')).toMatch(/^(?:2099-12-31|2100-01-01)T/);
  });

  it('a key can be edited: name, addresses, expiry', { timeout: RUN_MS }, async () => {
    await edit('Shop backend');
    expect(await field('Allowed IP addresses').inputValue()).toBe('203.0.113.7');
    expect(await field('Expires').inputValue()).toBe('keep');
    await field('Name').fill('Shop');
    await field('Allowed IP addresses').fill('203.0.113.7, 2001:db8::/32');
    await submit('Save changes');
    await row('Shop').getByText('Only from 203.0.113.7, 2001:db8::/32').waitFor();
    const before = await row('Shop').locator('time').last().getAttribute('datetime');
    expect(before).toMatch(/^(?:2099-12-31|2100-01-01)T/);
    await edit('Shop');
    await field('Expires').selectOption({ label: 'In 30 days' });
    await submit('Save changes');
    await expect.poll(() => row('Shop').locator('time').last().getAttribute('datetime')).not.toBe(before);
    await edit('Shop');
    await field('Expires').selectOption({ label: 'Never' });
    await field('Allowed IP addresses').fill('');
    await submit('Save changes');
    await row('Shop').getByText('Never').first().waitFor();
    await expect.poll(() => row('Shop').getByText('Only from').count()).toBe(0);
  });

  it('an invalid edit is refused with the reason at the field', { timeout: RUN_MS }, async () => {
    await edit('Shop');
    await field('Allowed IP addresses').fill('203.0.113.7\nnot an address');
    await submit('Save changes');
    await expect.poll(() => field('Allowed IP addresses').getAttribute('aria-invalid')).toBe('true');
    await dialog()
      .getByText(/^This must be a list .* "not" is neither/)
      .waitFor();
    await inspect('key-dialog-refused');
    await submit('Cancel');
    await expect.poll(() => row('Shop').getByText('Only from').count()).toBe(0);
    expect(dashboard.faults).toEqual([]);
  });

  it('the activity log names the browser in words', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.go('Activity');
    const events = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await events.filter({ hasText: 'API key created' }).getByText('Shop backend').waitFor();
    const changed = events.filter({ hasText: 'API key changed' });
    expect(await changed.count()).toBe(3);
    await changed.filter({ hasText: 'name, allowed IP addresses' }).waitFor();
    const program = changed.first().getByText(/^Chrome \d+ on \w+$/);
    await program.hover();
    await page.getByRole('tooltip').filter({ hasText: 'Mozilla/5.0' }).waitFor();
    await page.mouse.move(0, 0);
    await inspect('activity');
  });

  it('the activity log can be filtered by kind, which the URL keeps', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    const events = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    const kind = page.getByLabel('Kind of activity');
    await kind.selectOption({ label: 'API keys' });
    await expect.poll(() => events.count()).toBe(4);
    expect(new URL(page.url()).search).toBe('?group=key');
    await page.reload();
    await expect.poll(() => events.count()).toBe(4);
    expect(await kind.inputValue()).toBe('key');
    await kind.selectOption({ label: 'Webhooks' });
    await page.getByText('No activity of this kind').waitFor();
    await dashboard.button('Show all activity').click();
    await expect.poll(() => events.count()).toBeGreaterThan(4);
    expect(new URL(page.url()).search).toBe('');
    expect(dashboard.faults).toEqual([]);
  });
});
