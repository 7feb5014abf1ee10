import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/kernel/error-codes.js';
import { openBrowser, type TestBrowser } from '../support/browser/browser.js';
import { type Harness, startHarness } from '../support/app/harness.js';

describe.each([
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 390, height: 844 },
])('the documentation on a $name', ({ width, height }) => {
  let harness: Harness;
  let browser: TestBrowser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    harness = await startHarness();
    browser = await openBrowser({ width, height });
    page = await browser.context.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('requestfailed', (request) => faults.push(`${request.url()} failed`));
  });
  afterAll(async () => {
    await browser.close();
    await harness.close();
  });

  it('lists every operation and webhook of the API and opens one', async () => {
    await page.goto(`${harness.url}/docs`);
    const operations = page.locator('.opblock');
    await operations.first().waitFor();
    const document = (await (await fetch(`${harness.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
      webhooks: Record<string, Record<string, unknown>>;
    };
    const items = [...Object.values(document.paths), ...Object.values(document.webhooks)];
    const documented = items.flatMap((path) => Object.keys(path));
    expect(await operations.count()).toBe(documented.length);
    const create = page.locator('.opblock-post', { hasText: '/api/ai/enhance' }).first();
    await create.locator('.opblock-summary-control').click();
    await create.getByText('sourceUrl').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('has a place for every error that a problem document points at, without scrolling sideways', async () => {
    await page.goto(`${harness.url}/docs/errors#quota_exceeded`);
    for (const code of Object.keys(ERROR_CODES))
      expect(await page.locator(`section#${code}`).count(), code).toBe(1);
    const target = page.locator('section:target');
    expect(await target.textContent()).toContain('quota_exceeded');
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });

  it('shows the plans that upgrade hints point at', async () => {
    await page.goto(`${harness.url}/docs/plans`);
    expect(await page.locator('tr#business').textContent()).toMatch(/600.*20,000.*500 GB.*15/);
    expect(faults).toEqual([]);
  });
});
