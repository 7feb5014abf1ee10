import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { inspectPage } from '../support/browser/inspect-page.js';
import { photo } from '../support/images/images.js';
import { eventually } from '../support/roles/flow-wait.js';
import type { SharedService } from '../support/roles/shared-service.js';

const RUN_MS = 120_000;
const EMAIL = `results-${process.pid}@example.com`;
const NAMES = ['harbor at dusk.jpg', 'portrait.jpg'];

interface JobState {
  readonly id: string;
  readonly status: string;
}

describe('the gallery of results', { timeout: RUN_MS }, () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    const { service } = dashboard;
    const jobs: JobState[] = [];
    for (const [index, name] of NAMES.entries()) {
      const sourceUrl = await dashboard.upload(await photo(120 + index * 60, 90, 'jpeg'));
      await service.database.rows('UPDATE sources SET name = $1 WHERE id = $2', [
        name,
        /src_[0-9a-f]{32}/.exec(sourceUrl)?.[0],
      ]);
      for (const operation of ['auto_enhance', 'upscale'])
        jobs.push(await dashboard.call('POST', '/ai/enhance', { sourceUrl, operation, level: 'low' }));
    }
    await eventually('the jobs to end', async () => {
      const { data } = await dashboard.call<{ data: JobState[] }>('GET', '/ai/enhance');
      const isDone = data.every(({ status }) => status === 'completed');
      return { found: isDone && data.length === jobs.length ? true : undefined, seen: data };
    });
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const tiles = () => dashboard.page.getByRole('list', { name: 'Results' }).getByRole('article');
  const look = (name: string) => inspectPage(dashboard.page, name);

  it('can be searched by name and filtered by operation', async () => {
    const { page } = dashboard;
    await dashboard.go('Results');
    await expect.poll(() => tiles().count()).toBe(4);
    await page.getByLabel('Search by name').fill('HARBOR');
    await expect.poll(() => tiles().count()).toBe(2);
    await page.getByLabel('Operation').selectOption('upscale');
    await expect.poll(() => tiles().count()).toBe(1);
    expect(await tiles().first().textContent()).toContain('harbor at dusk.jpgUpscale, low240 × 180');
    await page.getByLabel('Search by name').fill('nothing like it');
    await page.getByText('No matching results').waitFor();
    await dashboard.button('Clear filters').first().click();
    await expect.poll(() => tiles().count()).toBe(4);
  });

  it('says when no more can be loaded, and continues on request', async () => {
    const { page } = dashboard;
    const isList = ({ pathname }: URL) => pathname === '/dashboard/api/ai/enhance';
    const isFurther = (url: URL) => isList(url) && url.searchParams.has('cursor');
    // As if there were more results than the first page has.
    await page.route(isList, async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...(await response.json()), hasMore: true, nextCursor: 'more' },
      });
    });
    await page.route(isFurther, (route) => route.fulfill({ status: 503 }));
    await dashboard.open('/results');
    await expect.poll(() => tiles().count()).toBe(4);
    await dashboard.button('Load more').click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    expect(await tiles().count()).toBe(4);
    await page.route(isFurther, (route) =>
      route.fulfill({ json: { data: [], hasMore: false, nextCursor: null } }),
    );
    await dashboard.button('Try again').click();
    await page.getByText('End of list').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unrouteAll();
    dashboard.faults.length = 0;
  });

  it('compares two results and downloads them as one archive', async () => {
    const { page } = dashboard;
    await page.getByLabel('Select portrait.jpg, Upscale, low').check();
    expect(await dashboard.button('Compare').isDisabled()).toBe(true);
    await page.getByLabel('Select portrait.jpg, Auto enhance, low').check();
    await page.getByText('2 selected').waitFor();
    await look('results');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download ZIP' }).click(),
    ]);
    const zip = await readFile(await download.path());
    expect(zip.includes('portrait-upscaled.jpg')).toBe(true);
    expect(zip.includes('portrait-enhanced.jpg')).toBe(true);
    await dashboard.button('Compare').click();
    const dialog = page.getByRole('dialog', { name: 'Compare two results of portrait.jpg' });
    await dialog.getByText('Auto enhance, low').waitFor();
    await dialog.getByText('360 × 180 px').waitFor();
    await look('results-compare');
    await page.keyboard.press('Escape');
  });

  it('deletes the selected results together', async () => {
    await dashboard.button('Delete').click();
    await dashboard.button('Delete 2 results').click();
    await dashboard.page.getByRole('alert').getByText('2 results deleted.').waitFor();
    await expect.poll(() => tiles().count()).toBe(2);
    await dashboard.page.getByLabel('Selection').waitFor({ state: 'detached' });
  });

  it('enhances a result again, and a stored photo', async () => {
    const { page } = dashboard;
    await page.getByRole('link', { name: 'Enhance harbor at dusk.jpg again' }).first().click();
    await page.getByAltText('harbor at dusk-upscaled.jpg', { exact: true }).waitFor();
    await dashboard.go('Photos');
    await page.getByRole('link', { name: 'Enhance portrait.jpg' }).click();
    await page.getByAltText('portrait.jpg', { exact: true }).waitFor();
    // The photo is stored, so the estimate appears without a click.
    const estimate = page.getByText(/^Takes about .+\. Result: JPEG, 180 × 90$/);
    await estimate.waitFor();
    // A reload opens it again, and a failed one can be repeated.
    const isSource = ({ pathname }: URL) => pathname.startsWith('/dashboard/api/ai/sources/src_');
    await page.route(isSource, (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.reload();
    await page.getByRole('alert').getByText("The photo couldn't be opened.").waitFor();
    dashboard.faults.length = 0;
    await dashboard.button('Try again').click();
    await estimate.waitFor();
    await dashboard.button('Enhance').click();
    await page.getByText(/^Done in /).waitFor({ timeout: RUN_MS });
    await page.reload();
    await page.getByRole('slider', { name: /^Divider/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(
      await dashboard.service.database.rows(
        'SELECT 1 FROM sources s JOIN accounts a ON a.id = s.account_id WHERE a.email = $1',
        [EMAIL],
      ),
    ).toHaveLength(2);
  });

  it('causes no errors along the way', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
