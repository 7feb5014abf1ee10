import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { photo } from '../support/images/images.js';

const EMAIL = 'follows@example.com';
const TEST_MS = 120_000;
/** Shorter than the time a response counts as fresh, and than the polling interval of any page. */
const SOON = { timeout: 10_000 };
/** The number of HTTP/1.1 connections of a browser to one service, for all tabs together. */
const CONNECTIONS = 6;

describe('pages of the dashboard while jobs change', () => {
  let dashboard: Dashboard;
  let sourceUrl: string;

  beforeAll(async () => {
    dashboard = await Dashboard.start({ models: ['upscale'], roles: ['api', 'dispatcher'] });
    await dashboard.signUp(EMAIL);
    sourceUrl = await dashboard.upload(await photo(64, 48, 'jpeg'));
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const order = () =>
    dashboard.call<{ id: string }>('POST', '/ai/enhance', { sourceUrl, operation: 'upscale', level: 'low' });
  /** Lets reads of a path fail. @returns how many did */
  const refuseReads = async (path: string) => {
    let refused = 0;
    await dashboard.page.route(
      ({ pathname }) => pathname === path,
      async (route) => {
        if (route.request().method() !== 'GET') return route.fallback();
        refused += 1;
        await route.fulfill({ status: 503 });
      },
    );
    return () => refused;
  };
  const rowsOf = (page: Page) => page.getByRole('list', { name: 'Jobs' }).getByRole('listitem');

  it('shows the current state of a reopened job', { timeout: TEST_MS }, async () => {
    const { page } = dashboard;
    await dashboard.go('Jobs');
    const { id } = await order();
    const row = rowsOf(page).first();
    const drawer = page.getByRole('dialog');
    await row.getByText('Queued').waitFor();
    await row.getByRole('link').click();
    await drawer.getByRole('button', { name: 'Cancel job' }).waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
    await dashboard.call('POST', `/ai/enhance/${id}/cancel`);
    await row.getByText('Canceled').waitFor();
    await row.getByRole('link').click();
    await drawer.getByRole('button', { name: 'Run again' }).waitFor(SOON);
    expect(await drawer.getByText('Canceled', { exact: true }).count()).toBeGreaterThan(0);
    await drawer.getByRole('button', { name: 'Close' }).click();
  });

  it('stops offering a job that another tab deleted', { timeout: TEST_MS }, async () => {
    const { page } = dashboard;
    const drawer = page.getByRole('dialog');
    await rowsOf(page).first().getByRole('link').click();
    await drawer.getByRole('button', { name: 'Run again' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole('button', { name: 'Delete', exact: true }).click();
    await tab.getByRole('button', { name: 'Delete job' }).click();
    await drawer.getByText(/^The job .* was deleted\.$/).waitFor(SOON);
    expect(await drawer.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    await tab.close();
    await drawer.getByRole('button', { name: 'Close' }).click();
    expect(dashboard.faults).toEqual([]);
  });

  it('updates usage by day and by key', { timeout: TEST_MS }, async () => {
    const { page } = dashboard;
    await dashboard.go('Usage');
    await page.getByRole('tab', { name: 'Table' }).click();
    const today = page.getByRole('region', { name: 'Usage by day' }).getByRole('row').nth(1);
    const count = async () => Number(await today.getByRole('cell').nth(1).textContent());
    expect(await count()).toBe(0);
    await order();
    await expect.poll(count, SOON).toBe(1);
    await order();
    await order();
    await expect.poll(count).toBe(3);
    await page.getByRole('tab', { name: 'By key' }).click();
    const shares = page.getByRole('list', { name: 'Enhancements by key' });
    await shares.getByText('3 (100%)').waitFor();
    await order();
    await shares.getByText('4 (100%)').waitFor(SOON);
  });

  it('catches up after reads that failed, without another change', { timeout: TEST_MS }, async () => {
    const { page } = dashboard;
    // The days of usage, whose query is repeated twice itself, and the list of jobs, which is read without one.
    const days = await refuseReads('/dashboard/api/usage/history');
    await order();
    await expect.poll(days, SOON).toBe(3);
    await page.unrouteAll();
    await page.getByRole('list', { name: 'Enhancements by key' }).getByText('5 (100%)').waitFor(SOON);
    await dashboard.go('Jobs');
    await expect.poll(() => rowsOf(page).count()).toBe(5);
    const lists = await refuseReads('/dashboard/api/ai/enhance');
    await order();
    await expect.poll(lists, SOON).toBeGreaterThan(0);
    await page.unrouteAll();
    await expect.poll(() => rowsOf(page).count(), SOON).toBe(6);
    dashboard.faults.length = 0;
  });

  it.each(['API keys', 'Models', 'Webhooks'])('reloads %s on return', async (name) => {
    const { page } = dashboard;
    const path = { 'API keys': '/keys', Models: '/models', Webhooks: '/webhooks/endpoints' }[name]!;
    const read = () =>
      page.waitForResponse((response) => new URL(response.url()).pathname === `/dashboard/api${path}`, SOON);
    await Promise.all([read(), dashboard.go(name)]);
    await dashboard.go('Account');
    const [answer] = await Promise.all([read(), dashboard.go(name)]);
    expect(answer.ok()).toBe(true);
  });

  it('leaves its connections to the visible tab', { timeout: 3 * TEST_MS }, async () => {
    const { page, service } = dashboard;
    const tabs: Page[] = [];
    for (let count = 0; count < CONNECTIONS; count += 1) {
      const tab = await page.context().newPage();
      tabs.push(tab);
      await tab.goto(`${service.baseUrl}/jobs`);
      await rowsOf(tab).first().waitFor();
      await see(tab, false);
    }
    await dashboard.open('/jobs');
    await rowsOf(page).first().waitFor();
    const before = await rowsOf(tabs[0]!).count();
    await order();
    await expect.poll(() => rowsOf(page).count()).toBe(before + 1);
    expect(await rowsOf(tabs[0]!).count()).toBe(before);
    await see(tabs[0]!, true);
    await expect.poll(() => rowsOf(tabs[0]!).count(), SOON).toBe(before + 1);
    await order();
    await expect.poll(() => rowsOf(tabs[0]!).count(), SOON).toBe(before + 2);
    await Promise.all(tabs.map((tab) => tab.close()));
    expect(dashboard.faults).toEqual([]);
  });
});

/** A browser without a window treats every tab as the one in front. */
async function see(tab: Page, isSeen: boolean): Promise<void> {
  await tab.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      value: isHidden ? 'hidden' : 'visible',
    });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, !isSeen);
}
