import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/kernel/errors/error-codes.js';
import { barriersOf } from '../support/browser/barriers.js';
import { openBrowser, type TestBrowser } from '../support/browser/browser.js';
import { type Harness, startHarness } from '../support/app/harness.js';

const PAGES = [
  '',
  '/quickstart',
  '/webhooks',
  '/configuration',
  '/errors',
  '/plans',
  '/reference',
  '/reference/jobs',
];

describe.each([
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 390, height: 844 },
])('the documentation on a $name', ({ name, width, height }) => {
  let harness: Harness;
  let browser: TestBrowser;
  let page: Page;
  const faults: string[] = [];
  const requested = new Set<string>();

  beforeAll(async () => {
    harness = await startHarness();
    browser = await openBrowser({ width, height });
    page = browser.page;
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    // The browser aborts what a page is still loading when the next one opens.
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      if (reason !== 'net::ERR_ABORTED') faults.push(`${request.url()} failed: ${reason}`);
    });
    page.on('request', (request) => requested.add(new URL(request.url()).origin));
  });
  afterAll(async () => {
    await browser.close();
    await harness.close();
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const path of PAGES) {
      await page.goto(`${harness.url}/docs${path}`);
      expect(await barriersOf(page), `${path} ${colorScheme}`).toEqual([]);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
    expect(faults).toEqual([]);
  });

  it('finds a page as the user types, and opens it', async () => {
    await page.goto(`${harness.url}/docs`);
    await page.getByRole('searchbox').fill('callback secret');
    const hit = page.locator('.hits a', { hasText: /webhooks/i }).first();
    await hit.waitFor();
    await hit.click();
    await page.waitForURL(/\/docs\/[\w/-]+#?/);
    expect(await page.locator('h1').textContent()).toMatch(/\S/);
    expect(faults).toEqual([]);
  });

  it('copies code over plain HTTP, where browsers offer no clipboard API', async () => {
    const other = await browser.context.newPage();
    await other.addInitScript('delete Navigator.prototype.clipboard');
    await other.goto(`${harness.url}/docs/quickstart`);
    const block = other.locator('.code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    await other.getByRole('searchbox').press('Control+V');
    const [line] = (await block.locator('pre').textContent())!.split('\n');
    expect(await other.getByRole('searchbox').inputValue()).toContain(line);
    await other.close();
  });

  it('remembers the chosen theme', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${harness.url}/docs/chains`);
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await page.goto(`${harness.url}/docs/batches`);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByRole('button', { name: 'Use the light theme' }).click();
  });

  it('covers every operation and webhook of the API', async () => {
    const document = (await (await fetch(`${harness.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
      webhooks: Record<string, Record<string, unknown>>;
    };
    const items = [...Object.values(document.paths), ...Object.values(document.webhooks)];
    const documented = items.flatMap((path) => Object.keys(path));
    await page.goto(`${harness.url}/docs/reference`);
    expect(await page.locator('.operations li').count()).toBe(documented.length);
    await page.locator('.operations a', { hasText: '/api/ai/enhance' }).first().click();
    await page.locator('#createJob > .members > li > .name', { hasText: /^sourceUrl$/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it('has a section for every error that a problem document links to', async () => {
    await page.goto(`${harness.url}/docs/errors#quota_exceeded`);
    for (const code of Object.keys(ERROR_CODES))
      expect(await page.locator(`section#${code}`).count(), code).toBe(1);
    expect(await page.locator('section:target').textContent()).toContain('quota_exceeded');
  });

  it('shows the plans that upgrade hints link to', async () => {
    await page.goto(`${harness.url}/docs/plans`);
    expect(await page.locator('tr#business').textContent()).toMatch(/600.*20,000.*500 GB.*15/);
    expect(faults).toEqual([]);
  });

  it('lists its pages and searches without JavaScript', async () => {
    const plain = await openBrowser({ width, height }, { javaScriptEnabled: false });
    try {
      const other = await plain.context.newPage();
      await other.goto(`${harness.url}/docs/chains`);
      if (name === 'phone') await other.getByText('All pages').click();
      await other.getByRole('link', { name: 'Batches', exact: true }).first().click();
      expect(await other.locator('h1').textContent()).toContain('Batches');
      await other.getByRole('searchbox').fill('presets');
      await other.getByRole('searchbox').press('Enter');
      await other.locator('.results a').first().waitFor();
    } finally {
      await plain.close();
    }
  });

  it('loads the explorer without errors', async () => {
    await page.goto(`${harness.url}/docs/explorer`);
    await page.locator('.opblock').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('sends no request to another host', () => {
    expect([...requested]).toEqual([harness.url]);
  });
});
