import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import type { SharedService } from '../support/roles/shared-service.js';
import { photo } from '../support/images/images.js';

/** One more than a page of the list holds. */
const PHOTOS = 25;
const REFUSAL = { title: 'Refused', status: 403, detail: 'Not now.', code: 'not_now' };

interface Usage {
  readonly storage: { readonly usedBytes: number };
}

describe('photos in the dashboard', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp('photos@example.com');
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const tiles = () => dashboard.page.getByRole('list', { name: 'Photos' }).getByRole('article');
  const usedBytes = async () => (await dashboard.call<Usage>('GET', '/usage')).storage.usedBytes;

  it('shows where photos come from while there are none', async () => {
    await dashboard.go('Photos');
    await dashboard.page.getByText('No photos', { exact: true }).waitFor();
    const first = dashboard.page.getByRole('link', { name: 'Open the playground' });
    expect(await first.getAttribute('href')).toBe('/playground');
  });

  it('are shown newest first, and older ones on request', async () => {
    const { page } = dashboard;
    for (let count = 1; count <= PHOTOS; count += 1)
      await dashboard.upload(await photo(200 + count, 150, 'jpeg'));
    await dashboard.open('/photos');
    await expect.poll(() => tiles().count()).toBe(PHOTOS - 1);
    expect(await tiles().first().textContent()).toContain(`${200 + PHOTOS} × 150`);
    const picture = tiles().first().locator('img');
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(200 + PHOTOS);
    // A failed request is reported next to the button, and repeated without requesting the other pages again.
    const pages: string[] = [];
    await page.route(
      ({ pathname }) => pathname === '/dashboard/api/ai/sources',
      (route) => {
        pages.push(new URL(route.request().url()).searchParams.has('cursor') ? 'further' : 'first');
        return pages.length > 1 ? route.continue() : route.fulfill({ status: 403, json: REFUSAL });
      },
    );
    await dashboard.button('Load more').click();
    await page.getByRole('alert').getByText('Not now.').waitFor();
    expect(await dashboard.button('Load more').count()).toBe(0);
    await dashboard.button('Try again').click();
    await page.getByText('End of list').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(pages).toEqual(['further', 'further']);
    await page.unrouteAll();
    expect(await tiles().last().textContent()).toContain('201 × 150');
    expect(await tiles().count()).toBe(PHOTOS);
  });

  it('can be deleted after a confirmation, which frees their storage', async () => {
    const { page } = dashboard;
    const before = await usedBytes();
    const first = tiles().first();
    await first.getByRole('button', { name: /^Delete/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this photo?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await usedBytes()).toBe(before);

    await first.getByRole('button', { name: /^Delete/ }).click();
    await dialog.getByRole('button', { name: 'Delete photo' }).click();
    await page.getByRole('alert').getByText('Photo deleted.').waitFor();
    await expect.poll(() => tiles().count()).toBe(PHOTOS - 1);
    expect(await first.textContent()).toContain(`${200 + PHOTOS - 1} × 150`);
    expect(await usedBytes()).toBeLessThan(before);
    await page.reload();
    await expect.poll(() => tiles().count()).toBe(PHOTOS - 1);
    expect(await first.textContent()).toContain(`${200 + PHOTOS - 1} × 150`);
    expect(dashboard.faults).toEqual([]);
  });

  it('are not downloaded any more once the page shows something else', async () => {
    const { page } = dashboard;
    const thumbnails = '**/ai/sources/*/thumbnail';
    await dashboard.upload(await photo(120, 90, 'jpeg'));
    const held = await holdRequests(page, thumbnails, 'GET');
    await dashboard.open('/photos');
    await held.arrived;
    const canceled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/thumbnail'));
    await dashboard.go('Usage');
    expect((await canceled).failure()?.errorText).toBe('net::ERR_ABORTED');
    held.release();
    await page.unroute(thumbnails);
  });
});
