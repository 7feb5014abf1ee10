import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../support/browser/browser.js';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { photo } from '../../support/images/images.js';
import { eventually } from '../../support/roles/flow-wait.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const EMAIL = `share-${process.pid}@example.com`;

describe('sharing a result', () => {
  let dashboard: Dashboard<SharedService>;
  let jobId: string;
  let link: string;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    const sourceUrl = await dashboard.upload(await photo(640, 420, 'jpeg'));
    const order = { sourceUrl, operation: 'upscale', level: 'low' };
    ({ id: jobId } = await dashboard.call<{ id: string }>('POST', '/ai/enhance', order));
    await eventually('the job to end', async () => {
      const job = await dashboard.call<{ status: string }>('GET', `/ai/enhance/${jobId}`);
      return { found: job.status === 'completed' ? true : undefined, seen: job };
    });
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const dialog = () => dashboard.page.getByRole('dialog', { name: /^Share / });

  it('shows the welcome hint only on the first visit', async () => {
    const { page } = dashboard;
    const hint = page.getByText('Welcome! Three steps to your first result');
    await dashboard.open('/playground');
    await hint.waitFor();
    await inspectPage(page, 'first-visit');
    await dashboard.button('Got it').click();
    await hint.waitFor({ state: 'detached' });
    await page.reload();
    await dashboard.heading('Playground').waitFor();
    expect(await hint.count()).toBe(0);
  });

  it('creates a link that is shown once', async () => {
    const { page } = dashboard;
    await dashboard.go('Results');
    await page
      .getByRole('button', { name: /^Share / })
      .first()
      .click();
    await dialog().getByLabel('The link expires after').selectOption('1 hour');
    await dialog().getByLabel('Also show the original photo').check();
    await dashboard.button('Create link').click();
    link = (await dialog().getByTestId('share-url').textContent()) ?? '';
    expect(link).toMatch(/^http.*\/share\/[\w-]{43}$/);
    await dialog().getByText('Active links').waitFor();
    await inspectPage(page, 'share');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await dashboard.open(`/jobs/${jobId}`);
    await dashboard.button('Share').click();
    await dialog().getByText('with the original').waitFor();
    expect(await dialog().getByTestId('share-url').count()).toBe(0);
  });

  it('works for people without an account', async () => {
    const { service } = dashboard;
    const browser = await openBrowser({ width: 1_280, height: 900 });
    const { context, page: stranger } = browser;
    try {
      const faults: string[] = [];
      stranger.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await stranger.goto(`${service.baseUrl}${new URL(link).pathname}`);
      await expect
        .poll(() =>
          stranger
            .getByAltText('The shared photo', { exact: true })
            .evaluate((image) => (image as HTMLImageElement).naturalWidth),
        )
        .toBe(1_280);
      await inspectPage(stranger, 'share-page');
      const original = stranger.getByAltText('The original of the shared photo');
      expect(await original.isVisible()).toBe(false);
      await stranger.getByLabel('Show the original').focus();
      await stranger.keyboard.press('Space');
      await expect.poll(() => original.isVisible()).toBe(true);
      await expect
        .poll(() => original.evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBe(640);
      const [download] = await Promise.all([
        stranger.waitForEvent('download'),
        stranger.getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('photo-upscaled.jpg');
      expect(faults).toEqual([]);
      expect(await context.cookies()).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it('appears in the list of all links', async () => {
    const { page } = dashboard;
    await dashboard.open('/results');
    await page.getByRole('link', { name: 'Shared links' }).click();
    await dashboard.heading('Shared links').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'All results' }).waitFor();
    const row = page.getByRole('list', { name: 'Shared links' }).getByRole('listitem');
    await row.getByText('with the original').waitFor();
    expect(await row.count()).toBe(1);
    await inspectPage(page, 'shared-links');
    await row.getByRole('link').click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/jobs/${jobId}`);
    await dashboard.button('Share').click();
    await dialog().getByText('Active links').waitFor();
  });

  it('does not keep offering a link that was just revoked', async () => {
    await dashboard.button('Create link').click();
    await dialog().getByTestId('share-url').waitFor();
    const revoke = dialog().getByRole('button', { name: /^Revoke the link/ });
    await expect.poll(() => revoke.count()).toBe(2);
    // Red, as everything that takes something away.
    expect(await revoke.first().evaluate((button) => getComputedStyle(button).color)).toBe(
      'rgb(194, 39, 39)',
    );
    await revoke.first().click();
    await inspectPage(dashboard.page, 'share-revoke');
    await dashboard.button('Revoke link').click();
    await dialog().getByTestId('share-url').waitFor({ state: 'detached' });
    await expect.poll(() => revoke.count()).toBe(1);
  });

  it('ends when the link is revoked', async () => {
    const { page, service } = dashboard;
    await dialog()
      .getByRole('button', { name: /^Revoke the link/ })
      .click();
    await dashboard.button('Revoke link').click();
    await dialog().getByText('Active links').waitFor({ state: 'detached' });
    const stranger = await page.context().newPage();
    const answer = await stranger.goto(`${service.baseUrl}${new URL(link).pathname}`);
    expect(answer?.status()).toBe(404);
    await stranger.getByRole('heading', { name: 'Link not found' }).waitFor();
    await inspectPage(stranger, 'share-page-revoked');
    await stranger.close();
    await dashboard.open('/results/shared');
    await page.getByText('No active links').waitFor();
    await inspectPage(page, 'shared-links-none');
    expect(dashboard.faults).toEqual([]);
  });
});
