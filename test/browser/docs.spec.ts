import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/kernel/errors/error-codes.js';
import { barriersOf, colorBarriersOf } from '../support/browser/barriers.js';
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

const DESKTOP = { name: 'desktop', width: 1280, height: 900 };
const PHONE = { name: 'phone', width: 390, height: 844 };

describe('the documentation', () => {
  let harness: Harness;
  let browser: TestBrowser;
  let page: Page;
  const faults: string[] = [];
  const requested = new Set<string>();

  beforeAll(async () => {
    harness = await startHarness();
    browser = await openBrowser(DESKTOP);
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

  // Each page is loaded once, in the dark theme. It follows the system's theme and the width of the window.
  it.each(PAGES)('is accessible on every screen and in both themes: /docs%s', async (path) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${harness.url}/docs${path}`);
    // The light theme has the same elements in other colors.
    for (const [colorScheme, barriers] of [
      ['dark', barriersOf],
      ['light', colorBarriersOf],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      for (const screen of [DESKTOP, PHONE]) {
        await page.setViewportSize(screen);
        expect(await barriers(page), `${colorScheme} on a ${screen.name}`).toEqual([]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${colorScheme} on a ${screen.name}`).toBeLessThanOrEqual(0);
      }
    }
    expect(faults).toEqual([]);
  });

  describe.each([DESKTOP, PHONE])('on a $name', (screen) => {
    beforeAll(() => page.setViewportSize(screen));

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
  });

  it('lists its pages and searches without JavaScript', async () => {
    const plain = await openBrowser(DESKTOP, { javaScriptEnabled: false });
    try {
      const other = await plain.context.newPage();
      for (const screen of [DESKTOP, PHONE]) {
        await other.setViewportSize(screen);
        await other.goto(`${harness.url}/docs/chains`);
        if (screen === PHONE) await other.getByText('All pages').click();
        await other.getByRole('link', { name: 'Batches', exact: true }).first().click();
        expect(await other.locator('h1').textContent()).toContain('Batches');
        await other.getByRole('searchbox').fill('presets');
        await other.getByRole('searchbox').press('Enter');
        await other.locator('.results a').first().waitFor();
      }
    } finally {
      await plain.close();
    }
  });

  it('has a section for every error that a problem document links to', async () => {
    await page.goto(`${harness.url}/docs/errors#quota_exceeded`);
    const sections = await page.locator('section[id]').evaluateAll((found) => found.map(({ id }) => id));
    for (const code of Object.keys(ERROR_CODES))
      expect(
        sections.filter((id) => id === code),
        code,
      ).toHaveLength(1);
    expect(await page.locator('section:target').textContent()).toContain('quota_exceeded');
  });

  it('shows the plans that upgrade hints link to', async () => {
    await page.goto(`${harness.url}/docs/plans`);
    expect(await page.locator('tr#business').textContent()).toMatch(/600.*20,000.*500 GB.*15/);
    expect(faults).toEqual([]);
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
