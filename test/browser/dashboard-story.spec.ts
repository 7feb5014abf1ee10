import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../support/browser/dashboard-browser.js';
import type { SharedService } from '../support/roles/shared-service.js';
import { FlowClient } from '../support/roles/flow-client.js';
import { portraitPng } from '../support/images/portrait.js';
import { WebhookReceiver } from '../support/webhooks/webhook-receiver.js';

const EMAIL = 'mara@example.com';
const RUN_MS = 120_000;

describe('a new customer in the dashboard', () => {
  let dashboard: Dashboard<SharedService>;
  let receiver: WebhookReceiver;
  let key: string;
  let secret: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    dashboard = await Dashboard.join();
  });
  afterAll(async () => {
    await dashboard?.close();
    await receiver?.down();
  });

  const signIn = async (password: string) => {
    const { page } = dashboard;
    await dashboard.heading('Sign in').waitFor();
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await dashboard.button('Sign in').click();
  };

  it('signs up', async () => {
    await dashboard.signUpWithForm(EMAIL);
    const menu = dashboard.page.getByRole('navigation', { name: 'Pages' });
    await menu.getByText(EMAIL).waitFor();
    expect(await menu.textContent()).toContain('Free plan');
  });

  it('creates the key that the plan allows, sees it once, and learns how to get more', async () => {
    const { page } = dashboard;
    await dashboard.go('API keys');
    await dashboard.button('Create your first key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop backend');
    const scopes = dialog.getByRole('checkbox');
    expect(
      await scopes.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked)),
    ).toEqual([true, true, true, false]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    key = (await page.getByTestId('secret').textContent())!;
    expect(key).toMatch(/^ies_/);
    await dialog.getByRole('button', { name: "I've copied it" }).click();
    await page.getByRole('article', { name: 'Key Shop backend' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByText('Your plan allows 1 key, and it is in use').waitFor();
    expect(await page.getByRole('link', { name: /plan, which has more/ }).getAttribute('href')).toContain(
      '/docs/plans',
    );
    // Test keys remain available, since the plan does not count them.
    expect(await dashboard.button('Create key').isDisabled()).toBe(false);
  });

  it('adds a webhook endpoint and receives a ping', async () => {
    const { page } = dashboard;
    await dashboard.go('Webhooks');
    await dashboard.button('Add your first endpoint').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(receiver.url('/hooks'));
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    secret = (await page.getByTestId('secret').textContent())!;
    expect(secret).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: "I've copied it" }).click();
    await dashboard.button('Send ping').click();
    // Without its style sheet, the toast would be bare text.
    const toast = page.getByRole('alert').filter({ hasText: 'Ping sent' });
    await toast.waitFor();
    expect(await toast.evaluate((element) => getComputedStyle(element).boxShadow)).not.toBe('none');
    await expect
      .poll(() => receiver.at('/hooks').map(({ event }) => event.type), { timeout: RUN_MS })
      .toContain('ping');
  });

  it('runs every operation on a photo and compares the results', { timeout: 4 * RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.go('Playground');
    // A person, so there is something to cut out and skin to smooth.
    await page
      .getByLabel('Photo', { exact: true })
      .setInputFiles({ name: 'shop.png', mimeType: 'image/png', buffer: await portraitPng(320, 320) });
    for (const operation of ['Smooth skin', 'Upscale', 'Auto enhance', 'Remove background']) {
      await page.getByRole('radio', { name: new RegExp(`^${operation}`) }).check();
      await dashboard.button('Enhance').click();
      const ended = page.getByText(/^Done in |^Not charged$/);
      await ended.waitFor({ timeout: RUN_MS });
      expect(await ended.textContent(), operation).toMatch(/^Done in /);
    }
    // Twice as wide and twice as high.
    await page.getByRole('button', { name: 'Upscale, medium' }).click();
    await page.getByText('640 × 640 px').waitFor();
  });

  it('moves the divider, zooms to 100% and downloads the result', async () => {
    const { page } = dashboard;
    const divider = page.getByRole('slider', { name: 'Divider between before and after' });
    await divider.press('Home');
    expect(await divider.getAttribute('aria-valuenow')).toBe('0');
    await divider.press('PageUp');
    expect(await divider.getAttribute('aria-valuenow')).toBe('10');
    await page.getByText('100%', { exact: true }).click();
    const after = page.getByAltText(/^After: /);
    expect((await after.boundingBox())?.width).toBe(640);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download/ }).click(),
    ]);
    const saved = await readFile(await download.path());
    expect(saved.subarray(0, 3).toString('hex')).toBe('89504e');
    expect(download.suggestedFilename()).toBe('shop-upscaled.png');
  });

  it(
    'finds the jobs in the list, filters them, runs one again and deletes it',
    { timeout: 2 * RUN_MS },
    async () => {
      const { page } = dashboard;
      await dashboard.go('Jobs');
      const rows = page.getByRole('list', { name: 'Jobs' }).getByRole('link');
      await expect.poll(() => rows.count()).toBe(4);
      await page.getByLabel('Operation').selectOption('upscale');
      await expect.poll(() => rows.count()).toBe(1);
      await rows.first().click();
      const drawer = page.getByRole('dialog');
      await drawer.getByText('Timings').waitFor();
      await drawer.getByText('640 × 640 PNG', { exact: false }).waitFor();
      const first = page.url();
      await drawer.getByRole('button', { name: 'Run again' }).click();
      await page.waitForURL((url) => url.href !== first && url.pathname.startsWith('/jobs/job_'));
      await drawer.getByText('Completed', { exact: true }).waitFor({ timeout: RUN_MS });
      await drawer.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete job' }).click();
      await page.waitForURL((url) => url.pathname === '/jobs');
      await expect.poll(() => rows.count()).toBe(4);
    },
  );

  it('sees the usage', { timeout: 2 * RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.go('Usage');
    const used = page.getByRole('meter', { name: 'Enhancements this month' });
    const count = async () => Number(await used.getAttribute('aria-valuenow'));
    await expect.poll(count, { timeout: RUN_MS }).toBeGreaterThanOrEqual(4);
    await page.getByRole('meter', { name: 'Shop backend' }).waitFor();
  });

  it('sees the last batches of a model', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.go('Models');
    const model = page.getByRole('article', { name: 'Upscale' });
    await model.getByText('Recent batches').click({ timeout: RUN_MS });
    const cells = model
      .getByRole('region', { name: 'Recent batches' })
      .getByRole('row')
      .nth(1)
      .getByRole('cell');
    expect(await cells.allTextContents()).toEqual([
      expect.stringMatching(/^[\w-]+, version \d+$/),
      expect.stringMatching(/^(?:[1-9]|10)$/),
      expect.stringMatching(/^[1-9]\d*%$/),
      expect.stringMatching(/ m?s$/),
      expect.stringMatching(/^(?:cpu|cuda)/),
    ]);
  });

  it('finds the deliveries, checks a signature, and redelivers one', async () => {
    const { page } = dashboard;
    await expect
      .poll(() => receiver.at('/hooks').map(({ event }) => event.type), { timeout: RUN_MS })
      .toContain('enhancement.completed');
    await dashboard.go('Webhooks');
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByLabel('Event').selectOption('ping');
    const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('link');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('article', { name: 'Attempt 1' }).getByText('204').waitFor();
    await drawer.getByRole('region', { name: 'Raw body' }).getByText('"type": "ping"').waitFor();
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await expect
      .poll(() => receiver.at('/hooks').filter(({ event }) => event.type === 'ping').length, {
        timeout: RUN_MS,
      })
      .toBe(2);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('tab', { name: 'Verify signature' }).click();
    const request = receiver.at('/hooks')[0]!;
    await page
      .getByRole('textbox', { name: 'Signature' })
      .fill(String(request.headers['x-service-signature']));
    await page.getByLabel('Body').fill(request.body);
    await page.getByLabel('Signing secret').fill(secret);
    await dashboard.button('Check').click();
    await page.getByText('The signature is valid').waitFor();
    await page.getByLabel('Body').fill(`${request.body} `);
    await dashboard.button('Check').click();
    await page.getByText('The body has extra whitespace at the start or end.').waitFor();
  });

  it('rotates the secret and sees a countdown', async () => {
    const { page } = dashboard;
    await page.getByRole('tab', { name: 'Endpoints' }).click();
    await dashboard.button('Rotate secret').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create a new secret' }).click();
    const next = await page.getByTestId('secret').textContent();
    expect(next).toMatch(/^whsec_/);
    expect(next).not.toBe(secret);
    await dialog.getByRole('button', { name: "I've copied it" }).click();
    expect(await page.getByRole('timer').textContent()).toMatch(/^2[34]:\d\d:\d\d$/);
  });

  it('requests missed events, and disables and enables the endpoint', async () => {
    const { page } = dashboard;
    await dashboard.button('Recover').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Since').selectOption('1');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('No missed events in that period.').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    for (const [action, state, enabled] of [
      ['Disable', 'Disabled', false],
      ['Enable', 'Enabled', true],
    ] as const) {
      await page.getByRole('button', { name: /^More actions for / }).click();
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByText(state, { exact: true }).waitFor();
      const [endpoint] = (
        await dashboard.call<{ data: { enabled: boolean }[] }>('GET', '/webhooks/endpoints')
      ).data;
      expect(endpoint?.enabled).toBe(enabled);
    }
  });

  it('rotates the key so that both work, then revokes the old one', async () => {
    const { page, service } = dashboard;
    await dashboard.go('API keys');
    await dashboard.button('Rotate Shop backend').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create a new key' }).click();
    const next = (await page.getByTestId('secret').textContent())!;
    await dialog.getByRole('button', { name: "I've copied it" }).click();
    const statusOf = async (used: string) =>
      (await new FlowClient(service.baseUrl, used).request('GET', '/api/usage')).status;
    expect(await statusOf(key)).toBe(200);
    expect(await statusOf(next)).toBe(200);
    const old = page.getByRole('article', { name: 'Key Shop backend' }).filter({ hasText: 'Being replaced' });
    await old.getByRole('timer').waitFor();
    await old.getByRole('button', { name: 'Revoke Shop backend' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name: '1 revoked or expired key' }).click();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    expect(await statusOf(key)).toBe(401);
    expect(await statusOf(next)).toBe(200);
  });

  it('sees the models that serve', async () => {
    const { page } = dashboard;
    await dashboard.go('Models');
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('article').count()).toBeGreaterThanOrEqual(4);
    await page.getByText('Serving').first().waitFor();
    await page.getByText('Known limits').first().click();
    await page.getByText(/^Known (?:failures|weaknesses)$/).waitFor();
  });

  it('changes the password, signs out and in, and deletes the account', async () => {
    const { page } = dashboard;
    const next = `${PASSWORD} again`;
    await dashboard.go('Account');
    await page.getByLabel('Current password', { exact: true }).fill('not the password at all');
    await page.getByLabel('New password', { exact: true }).fill(next);
    await dashboard.button('Change password').click();
    const current = page.getByLabel('Current password', { exact: true });
    await page
      .locator('.mantine-PasswordInput-root')
      .filter({ has: current })
      .getByText('The password is incorrect. Nothing was changed.', { exact: false })
      .waitFor();
    expect(await current.getAttribute('aria-invalid')).toBe('true');
    await dashboard.button('Sign out').click();
    await signIn(PASSWORD);
    await dashboard.heading('Playground').waitFor();
    await dashboard.go('Account');
    await page.getByLabel('New password', { exact: true }).fill(next);
    await current.fill(PASSWORD);
    await dashboard.button('Change password').click();
    await page.getByText('Password changed.', { exact: false }).waitFor();
    await dashboard.button('Sign out').click();
    await signIn(PASSWORD);
    await page.getByRole('alert').waitFor();
    await signIn(next);
    await dashboard.heading('Playground').waitFor();
    await dashboard.go('Account');
    await dashboard.button('Delete account…').click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete account' });
    await dialog.getByLabel('Password', { exact: true }).fill(next);
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type your email address to confirm').fill(EMAIL);
    await confirm.click();
    await dashboard.heading('Sign in').waitFor();
    await page.getByText('Your account was deleted with all its data.').waitFor();
    const left = await dashboard.service.database.rows('SELECT id FROM accounts WHERE email = $1', [EMAIL]);
    expect(left).toEqual([]);
  });

  it('causes no errors along the way', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
