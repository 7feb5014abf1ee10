import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failOneRefresh } from '../support/browser/failed-refresh.js';
import { Dashboard, PASSWORD } from '../support/browser/dashboard-browser.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import type { SharedService } from '../support/roles/shared-service.js';
import { takePicture } from '../support/browser/take-picture.js';

describe('the dashboard during a connection loss', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(`away-${process.pid}@example.com`);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const banner = () => dashboard.page.getByText('Connection lost. Retrying…');
  const setOffline = (isOffline: boolean) => dashboard.page.context().setOffline(isOffline);

  it('shows a banner, and loads a new page once the connection is back', async () => {
    const { page } = dashboard;
    await setOffline(true);
    await dashboard.page.getByRole('link', { name: 'Usage' }).click();
    await banner().waitFor();
    const notice = page.getByRole('alert').filter({ hasText: "This page couldn't be loaded" });
    await notice.getByText('It will load once the connection is restored.').waitFor();
    expect(await page.getByRole('link', { name: 'Playground' }).isVisible()).toBe(true);
    await takePicture(page, 'connection-lost');
    await setOffline(false);
    await dashboard.heading('Usage').waitFor();
    await banner().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/usage');
  });

  it('refreshes the current page once the connection is back', async () => {
    const { page } = dashboard;
    await dashboard.go('Jobs');
    await page.getByText('No jobs yet').waitFor();
    await setOffline(true);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
    await banner().waitFor();
    await setOffline(false);
    await banner().waitFor({ state: 'detached' });
    await page.getByText('No matching jobs').waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('failed');
  });

  it('makes no change later that failed without a connection', async () => {
    const { page } = dashboard;
    const keys = async () =>
      (await dashboard.call<{ data: readonly { name: string }[] }>('GET', '/keys')).data.map(
        ({ name }) => name,
      );
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create key' });
    await dashboard.go('API keys');
    await dashboard.button('Create your first key').click();
    await dialog.getByLabel('Name').fill('Ghost');
    await setOffline(true);
    await create.click();
    await dialog.getByRole('alert').getByText("Can't reach the service").waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await setOffline(false);
    await banner().waitFor({ state: 'detached' });
    expect(await keys()).toEqual([]);

    await dashboard.button('Create your first key').click();
    await dialog.getByLabel('Name').fill('Shop');
    await setOffline(true);
    await create.click();
    await dialog.getByRole('alert').getByText("Can't reach the service").waitFor();
    await setOffline(false);
    await banner().waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Shop');
    await create.click();
    await dashboard.button("I've copied it").click();
    expect(await keys()).toEqual(['Shop']);
  });

  it.each([
    ['Rotate Shop', '**/keys/*/rotate', 'Create a new key', null],
    ['Create key', '**/dashboard/api/keys', 'Create key', 'Held'],
  ] as const)('keeps a dialog open until its secret arrives: %s', async (opener, path, action, name) => {
    const { page } = dashboard;
    const dialog = page.getByRole('dialog');
    const held = await holdRequests(page, path, 'POST');
    const lists = await holdRequests(page, '**/dashboard/api/keys*', 'GET');
    await dashboard.button(opener).click();
    if (name !== null) await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: action }).click();
    await held.arrived;
    const cancel = dialog.getByRole('button', { name: 'Cancel' });
    // The request leaves a moment before the dialog shows that.
    await expect.poll(() => cancel.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await cancel.isDisabled()).toBe(true);
    expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
    held.release();
    // The list behind the dialog is still being renewed.
    await dialog.getByTestId('secret').waitFor();
    lists.release();
    await dashboard.button("I've copied it").click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('a refresh that fails', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.page.clock.install();
    await dashboard.signUp(`refresh-${process.pid}@example.com`);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  /** The user returns to the page after a minute. */
  async function comeBack(): Promise<void> {
    await dashboard.page.clock.fastForward(61_000);
    await dashboard.page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
  }

  const failOnce = (path: string): Promise<void> =>
    failOneRefresh(dashboard.page, ({ pathname }) => pathname === `/dashboard/api${path}`, comeBack);

  it('keeps the secret of a new key, which is shown only once', async () => {
    const { page } = dashboard;
    await dashboard.go('API keys');
    await dashboard.button('Create your first key').click();
    await page.getByLabel('Name').fill('Shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = page.getByTestId('secret');
    const shown = await secret.textContent();
    await failOnce('/session');
    expect(await secret.textContent({ timeout: 1_000 })).toBe(shown);
    await dashboard.button("I've copied it").click();
  });

  it('keeps the secret for the authenticator app', async () => {
    const { page } = dashboard;
    await dashboard.go('Account');
    await page.getByRole('link', { name: 'Security settings' }).click();
    await dashboard.button('Set up…').click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dashboard.button('Continue').click();
    const secret = page.getByTestId('totp-secret');
    const shown = await secret.textContent();
    await failOnce('/two-factor');
    expect(await secret.textContent({ timeout: 1_000 })).toBe(shown);
  });
});

describe('a URL that does not exist', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(`lost-${process.pid}@example.com`);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  it.each(['/nothing', '/keys/x'])('shows the not-found page: %s', async (path) => {
    const response = await dashboard.page.goto(`${dashboard.service.baseUrl}${path}`);
    expect(response?.status()).toBe(404);
    await dashboard.heading('Page not found').first().waitFor();
  });

  it('opens the page despite a trailing slash', async () => {
    const response = await dashboard.page.goto(`${dashboard.service.baseUrl}/playground/`);
    expect(response?.status()).toBe(200);
    await dashboard.heading('Playground').waitFor();
    expect(new URL(dashboard.page.url()).pathname).toBe('/playground');
  });
});
