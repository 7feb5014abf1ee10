import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOf } from '../support/browser/barriers.js';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import { photo } from '../support/images/images.js';
import type { SharedService } from '../support/roles/shared-service.js';
import { takePicture } from '../support/browser/take-picture.js';

const EMAIL = `forms-${process.pid}@example.com`;
describe('forms, filters and retries in the dashboard', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const look = async (name: string) => {
    // Waits until fonts and fades have settled.
    await dashboard.page.waitForTimeout(400);
    await takePicture(dashboard.page, name);
  };

  it('shows errors next to each sign-up field, and focuses the first', async () => {
    const { page } = dashboard;
    await dashboard.open('/sign-up');
    const email = page.getByLabel('Email address');
    const password = page.getByLabel('Password', { exact: true });
    await email.fill('nobody');
    await password.fill('short');
    await dashboard.button('Create account').click();
    await page.getByText('Enter a complete email address, such as you@example.com.').waitFor();
    await page.getByText('Use at least 12 characters: add 7 more.').waitFor();
    expect(await email.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    await look('sign-up-faults');
    expect(await barriersOf(page)).toEqual([]);
    await email.fill(EMAIL);
    await expect.poll(() => page.getByText('Enter a complete email address').count()).toBe(0);
    await dashboard.signUpWithForm(EMAIL);
  });

  it('creates a test key even when all live keys are in use', async () => {
    const { page } = dashboard;
    await dashboard.call('POST', '/keys', { name: 'Live' });
    await dashboard.go('API keys');
    await page.getByText('Your plan allows 1 key, and it is in use').waitFor();
    await dashboard.button('Create key').click();
    const dialog = page.getByRole('dialog');
    const isTest = dialog.getByRole('switch', { name: 'Test key' });
    expect([await isTest.isChecked(), await isTest.isDisabled()]).toEqual([true, true]);
    await look('test-key');
    expect(await barriersOf(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('CI');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByTestId('secret').textContent()).toMatch(/^ies_test_/);
    await dialog.getByRole('button', { name: "I've copied it" }).click();
    await page.getByRole('article', { name: 'Key CI' }).getByText('Test mode').waitFor();
  });

  it('closes dialogs without waiting for the list behind them, which shows the outcome', async () => {
    const { page } = dashboard;
    const lists = await holdRequests(page, '**/dashboard/api/keys*', 'GET');
    const card = (name: string) => page.getByRole('article', { name: `Key ${name}` });
    const dialog = page.getByRole('dialog');
    await dashboard.button('Edit CI').click();
    await dialog.getByLabel('Name').fill('Build');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await lists.arrived;
    expect(await card('CI').count()).toBe(0);
    await dashboard.button('Revoke Build').click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await card('Build').count()).toBe(0);
    lists.release();
    await page.unrouteAll();
  });

  it('sends a form once, however soon the second click follows', async () => {
    const { page } = dashboard;
    await dashboard.button('Create key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Twice');
    await dialog.getByRole('button', { name: 'Create key' }).evaluate(async (button) => {
      const nextTask = new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', resolve);
        port1.start();
        port2.postMessage(null);
      });
      (button as HTMLButtonElement).click();
      // Earlier than any timer.
      await nextTask;
      (button as HTMLButtonElement).click();
    });
    await dialog.getByRole('button', { name: "I've copied it" }).click();
    const { data } = await dashboard.call<{ data: { name: string }[] }>('GET', '/keys');
    expect(data.filter(({ name }) => name === 'Twice')).toHaveLength(1);
  });

  it('keeps a dialog open that a double click opens', async () => {
    const { page } = dashboard;
    const dialog = page.getByRole('dialog');
    await dashboard.button('Revoke Twice').dblclick();
    await dialog.getByRole('button', { name: 'Revoke key' }).waitFor();
    // A click that reached the overlay would have closed it by now.
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('article', { name: 'Key Twice' }).count()).toBe(0);
    await dashboard.button('Create key').click();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
  });

  it('lists canceled jobs under a separate filter', async () => {
    const { page } = dashboard;
    // So many pixels that no machine can finish before the job is canceled.
    const sourceUrl = await dashboard.upload(await photo(2_000, 1_500, 'jpeg'));
    const job = await dashboard.call<{ id: string }>('POST', '/ai/enhance', {
      sourceUrl,
      operation: 'upscale',
      level: 'medium',
    });
    await dashboard.call('POST', `/ai/enhance/${job.id}/cancel`, {});
    await dashboard.go('Jobs');
    const rows = page.getByRole('list', { name: 'Jobs' }).getByRole('link');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
    await page.getByText('No matching jobs').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('canceled');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().textContent()).toContain('Canceled');
    await look('jobs-canceled');
    expect(await barriersOf(page)).toEqual([]);
  });

  it('shows which delivery attempt comes next', async () => {
    const { page, service } = dashboard;
    // Nothing listens on this port.
    const endpoint = await dashboard.call<{ id: string }>('POST', '/webhooks/endpoints', {
      url: 'http://127.0.0.1:9009/hook',
      events: ['ping'],
    });
    await dashboard.call('POST', `/webhooks/endpoints/${endpoint.id}/ping`);
    const delivery = async () =>
      (
        await service.database.rows<{ attempt_count: number; status: string }>(
          'SELECT attempt_count, status FROM webhook_deliveries WHERE endpoint_id = $1',
          [endpoint.id],
        )
      )[0];
    await expect.poll(async () => (await delivery())?.attempt_count, { timeout: 60_000 }).toBeGreaterThan(0);
    expect((await delivery())?.status).toBe('pending');
    await dashboard.open('/webhooks/deliveries');
    await page
      .getByText(/^Retrying, attempt \d+ of \d+/)
      .first()
      .waitFor();
    await look('deliveries-retrying');
    expect(await barriersOf(page)).toEqual([]);
  });

  it('explains what a receiver on a private network needs', async () => {
    const { page } = dashboard;
    await dashboard.open('/webhooks');
    await dashboard.button(/^Add (your first )?endpoint$/).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('For a receiver on your own machine or network', { exact: false }).waitFor();
    expect(await dialog.textContent()).not.toMatch(/WEBHOOK_/);
    await look('endpoint-form');
  });

  it("adds events about other customers to an operator's endpoint only if they are named", async () => {
    const { page, service } = dashboard;
    const dialog = page.getByRole('dialog');
    const role = (since: string) =>
      service.database.rows(`UPDATE accounts SET operator_since = ${since} WHERE email = $1`, [EMAIL]);
    const list = async () =>
      (
        await dashboard.call<{ data: { id: string; url: string; events: string[] }[] }>(
          'GET',
          '/webhooks/endpoints',
        )
      ).data;
    await role('now()');
    await dashboard.open('/webhooks');
    await dashboard.button(/^Add (your first )?endpoint$/).click();
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9009/billing');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByRole('button', { name: "I've copied it" }).click();
    const all = (await list()).find(({ url }) => url.includes('billing'))!;
    expect(all.events).toContain('enhancement.completed');
    expect(all.events).not.toContain('usage.recorded');

    await dashboard.button(`More actions for ${all.url}`).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByRole('checkbox', { name: 'usage.recorded' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await role('NULL');
    await page.reload();
    await dashboard.button(`More actions for ${all.url}`).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Description').fill('Invoices');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Invoices').waitFor();
    expect((await list()).find(({ id }) => id === all.id)?.events).toContain('usage.recorded');
    expect(dashboard.faults).toEqual([]);
  });

  it('shows customers no hashes and no training scripts', async () => {
    const { page } = dashboard;
    await dashboard.open('/models');
    const models = page.getByRole('article');
    await models.first().waitFor();
    for (const summary of await page.getByText('Known limits').all()) await summary.click();
    await expect
      .poll(() => page.getByText(/^Known (?:failures|weaknesses)$/).count())
      .toBe(await models.count());
    expect(await page.getByRole('main').textContent()).not.toMatch(/\.py\b|scripts\/training|Hash/);
    await look('models');
  });

  it('causes no errors along the way', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
