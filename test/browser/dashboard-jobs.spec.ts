import type { Locator, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADD_ENDED_JOBS } from '../support/browser/ended-jobs.js';
import { failOneRefresh } from '../support/browser/failed-refresh.js';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { loseResponse } from '../support/browser/lost-response.js';
import { photo } from '../support/images/images.js';

const EMAIL = 'many@example.com';
const JOBS = 1_000;
/** The visible rows, and some above and below. */
const MAX_ROWS = 40;

/** Below the newest page of the list. */
const WAITING_ROW = 120;

const QUEUE_ONE = `
  UPDATE jobs SET status = 'queued', progress = 0, attempts = 0, error_code = NULL, completed_at = NULL
   WHERE id = (SELECT id FROM jobs ORDER BY id DESC OFFSET $1::int - 1 LIMIT 1) RETURNING id`;

const isFurther = ({ pathname, searchParams }: URL) =>
  pathname === '/dashboard/api/ai/enhance' && searchParams.has('cursor');

describe('a long list of jobs', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await Dashboard.start({ models: ['upscale'], roles: ['api'] });
    await dashboard.signUp(EMAIL);
    await dashboard.upload(await photo(64, 48, 'jpeg'));
    await dashboard.service.database.rows(ADD_ENDED_JOBS, [EMAIL, JOBS]);
    await dashboard.open('/jobs');
    await rows().first().waitFor();
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const list = () => dashboard.page.getByRole('list', { name: 'Jobs' });
  const rows = () => list().getByRole('listitem');
  /** How many pictures of the rows in the page are drawn. */
  const drawn = () =>
    list()
      .locator('img')
      .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);

  const row = (position: number) => list().locator(`li[aria-posinset="${position}"]`);

  async function scrollTo(position: number): Promise<void> {
    await expect
      .poll(async () => {
        await dashboard.page.evaluate(() => window.scrollBy(0, 800));
        return row(position).count();
      })
      .toBe(1);
  }

  async function createJob(): Promise<string> {
    const { service } = dashboard;
    const [source] = await service.database.rows<{ id: string }>('SELECT id FROM sources');
    const sourceUrl = `${service.baseUrl}/files/${source!.id}.jpg`;
    const order = { sourceUrl, operation: 'upscale', level: 'low' };
    return (await dashboard.call<{ id: string }>('POST', '/ai/enhance', order)).id;
  }

  const jobPanel = () => dashboard.page.getByRole('dialog', { name: /^Upscale, low/ });

  /** Opens a new job that was canceled. @returns its path */
  async function openEndedJob(): Promise<string> {
    const id = await createJob();
    await dashboard.call('POST', `/ai/enhance/${id}/cancel`);
    await list().locator(`a[href="/jobs/${id}"]`).click();
    await jobPanel().getByRole('button', { name: 'Run again' }).waitFor();
    return `/jobs/${id}`;
  }

  async function askToDelete(link: Locator): Promise<void> {
    await link.click();
    await jobPanel().getByText('Details').waitFor();
    await jobPanel().getByRole('button', { name: 'Delete' }).click();
  }

  it('shows a thumbnail of the photo where there is no result', async () => {
    await expect.poll(drawn).toBeGreaterThan(5);
    expect(await drawn()).toBe(await rows().count());
    const url = await list().locator('img').first().getAttribute('src');
    expect(url).toMatch(/^\/dashboard\/api\/ai\/sources\/src_[0-9a-f]{32}\/thumbnail$/);
  });

  it('keeps only a few rows in the page, each in its place', async () => {
    const { page } = dashboard;
    await page.evaluate(async () => {
      while (!document.body.textContent.includes('End of list')) {
        window.scrollBy(0, 400);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      window.scrollTo(0, document.body.scrollHeight);
    });
    const last = list().locator(`li[aria-posinset="${JOBS}"]`);
    await last.waitFor();
    expect(await last.getAttribute('aria-setsize')).toBe(String(JOBS));
    expect(await rows().count()).toBeLessThanOrEqual(MAX_ROWS);
    const [listBox, lastBox] = [await list().boundingBox(), await last.boundingBox()];
    expect(lastBox!.y + lastBox!.height).toBeCloseTo(listBox!.y + listBox!.height, -1);
    // Rows that flew by without pictures get them once scrolling stops.
    await expect.poll(async () => (await drawn()) === (await rows().count())).toBe(true);
  });

  it('keeps its rows when no more can be loaded, and continues on request', async () => {
    const { page } = dashboard;
    let refused = 0;
    await page.route(isFurther, async (route) => {
      refused += 1;
      await route.fulfill({ status: 503 });
    });
    await dashboard.open('/jobs');
    await rows().first().waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await row(100).waitFor();
    // A new job refreshes the newest page, which does not load further ones.
    const id = await createJob();
    await row(101).waitFor();
    await page.evaluate(() => window.scrollTo(0, 0));
    await rows().first().getByText('Queued').waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await row(101).waitFor();
    // One request and its two retries.
    expect(refused).toBe(3);
    await page.unroute(isFurther);
    await dashboard.button('Try again').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await scrollTo(150);
    await dashboard.call('POST', `/ai/enhance/${id}/cancel`);
    dashboard.faults.length = 0;
  });

  it('updates waiting jobs below its newest page', async () => {
    const { page, service } = dashboard;
    const [waiting] = await service.database.rows<{ id: string }>(QUEUE_ONE, [WAITING_ROW]);
    await dashboard.open('/jobs');
    await rows().first().waitFor();
    await scrollTo(WAITING_ROW);
    await row(WAITING_ROW).getByText('Queued').waitFor();
    await dashboard.call('POST', `/ai/enhance/${waiting!.id}/cancel`);
    await expect.poll(() => row(WAITING_ROW).textContent()).toContain('Canceled');
    await page.evaluate(() => window.scrollTo(0, 0));
  });

  it('filters from the top', async () => {
    const { page } = dashboard;
    await page.getByLabel('Status').selectOption('completed');
    await page.getByText('No matching jobs').waitFor();
    await dashboard.button('Clear filters').first().click();
    await rows().first().waitFor();
    expect(await rows().first().getAttribute('aria-posinset')).toBe('1');
  });

  it('updates when a waiting job is canceled', async () => {
    const { page, service } = dashboard;
    await createJob();
    // The page learns of the job through its event stream.
    await rows().first().getByText('Queued').waitFor();
    await rows().first().getByRole('link').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Cancel job' }).click();
    await drawer.getByText('Canceled', { exact: true }).first().waitFor();
    await drawer.getByRole('button', { name: 'Run again' }).waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await rows().first().getByText('Canceled').waitFor();
    expect(
      await service.database.rows('SELECT status, error_code FROM jobs ORDER BY id DESC LIMIT 1'),
    ).toEqual([{ status: 'failed', error_code: 'canceled' }]);
  });

  it('closes the panel of a deleted job, even if the list shows that first', async () => {
    const { page } = dashboard;
    const second = rows().nth(1).getByRole('link');
    const href = await second.getAttribute('href');
    await askToDelete(second);
    const answerLate = async (route: Route) => {
      const response = await route.fetch();
      await expect.poll(() => list().locator(`a[href="${href}"]`).count()).toBe(0);
      await route.fulfill({ response });
    };
    await page.route(`**/ai/enhance${href!.slice('/jobs'.length)}`, answerLate, { times: 1 });
    await dashboard.button('Delete job').click();
    await page.waitForURL(({ pathname }) => pathname === '/jobs');
    await jobPanel().waitFor({ state: 'detached' });
  });

  it('removes a deleted job below its newest page without requesting all loaded pages again', async () => {
    const { page } = dashboard;
    await scrollTo(WAITING_ROW + 100);
    const link = row(WAITING_ROW + 100).getByRole('link');
    const href = await link.getAttribute('href');
    await askToDelete(link);
    let further = 0;
    page.on('request', (request) => {
      if (isFurther(new URL(request.url()))) further += 1;
    });
    await dashboard.button('Delete job').click();
    await page.getByRole('alert').getByText('Job deleted.').waitFor();
    await jobPanel().waitFor({ state: 'detached' });
    await expect.poll(() => list().locator(`a[href="${href}"]`).count()).toBe(0);
    // Three pages are loaded, and the next one may be requested while the list scrolls.
    expect(further).toBeLessThan(2);
    await page.evaluate(() => window.scrollTo(0, 0));
  });

  it('keeps a question open when the job fails to refresh', async () => {
    const { page } = dashboard;
    await createJob();
    await rows().first().getByText('Queued').waitFor();
    await rows().first().getByRole('link').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this job?' });
    await question.waitFor();
    const isJob = ({ pathname }: URL) => pathname.startsWith('/dashboard/api/ai/enhance/job_');
    await failOneRefresh(page, isJob, createJob);
    expect(await question.count()).toBe(1);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.waitForURL(({ pathname }) => pathname === '/jobs');
    dashboard.faults.length = 0;
  });

  it('runs a job again once, even if there was no connection and a response was lost', async () => {
    const { page, service } = dashboard;
    const jobs = async () => (await service.database.rows('SELECT id FROM jobs')).length;
    const path = await openEndedJob();
    const before = await jobs();
    const again = jobPanel().getByRole('button', { name: 'Run again' });
    const fault = jobPanel().getByRole('alert').getByText("Can't reach the service");
    await page.context().setOffline(true);
    await again.click();
    await fault.waitFor();
    await page.context().setOffline(false);
    await page.getByText('Connection lost. Retrying…').waitFor({ state: 'detached' });
    await loseResponse(page, '**/run-again');
    await again.click();
    await expect.poll(jobs).toBe(before + 1);
    await fault.waitFor();
    await again.click();
    await page.waitForURL(({ pathname }) => pathname !== path);
    expect(await jobs()).toBe(before + 1);
    await page.keyboard.press('Escape');
    await page.waitForURL(({ pathname }) => pathname === '/jobs');
    // The focus returns to the row from which the panel was opened, although it showed another job since then.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
    await expect.poll(focused).toBe(path);
    dashboard.faults.length = 0;
  });

  it('closes a question about a job when Back opens another job', async () => {
    const { page } = dashboard;
    const path = await openEndedJob();
    await jobPanel().getByRole('button', { name: 'Run again' }).click();
    await jobPanel().getByRole('button', { name: 'Cancel job' }).waitFor();
    await jobPanel().getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this job?' });
    await question.waitFor();
    await page.goBack();
    await page.waitForURL(({ pathname }) => pathname === path);
    await question.waitFor({ state: 'detached' });
    await jobPanel().getByRole('button', { name: 'Run again' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(({ pathname }) => pathname === '/jobs');
    expect(dashboard.faults).toEqual([]);
  });

  it('opens a job next to the list or in a new tab, and supports the arrow keys', async () => {
    const { page, service } = dashboard;
    const links = list().getByRole('link');
    // The job that the last test has run again moves the rows when it appears.
    const [newest] = await service.database.rows<{ id: string }>(
      'SELECT id FROM jobs ORDER BY id DESC LIMIT 1',
    );
    await row(1).locator(`a[href="/jobs/${newest!.id}"]`).waitFor();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      links.nth(1).click({ modifiers: ['Control'] }),
    ]);
    await tab.waitForURL((url) => url.pathname.startsWith('/jobs/job_'));
    await tab.close();
    expect(new URL(page.url()).pathname).toBe('/jobs');

    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    const second = await links.nth(1).getAttribute('href');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(second);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === second);
    await page.getByRole('dialog').getByText('Details').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname === '/jobs');
    expect(dashboard.faults).toEqual([]);
  });
});
