import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';

/** The first request and its retries. */
const ATTEMPTS = 3;

/**
 * Lets a refresh of the page fail, including its retries, and then another one succeed.
 * @param isPart whether a request belongs to the part of the page that is refreshed
 * @param refresh makes the page refresh that part
 */
export async function failOneRefresh(
  page: Page,
  isPart: (url: URL) => boolean,
  refresh: () => Promise<unknown>,
): Promise<void> {
  let refused = 0;
  await page.route(isPart, async (route: Route) => {
    refused += 1;
    await route.fulfill({ status: 503 });
  });
  await refresh();
  await expect.poll(() => refused, { timeout: 15_000 }).toBeGreaterThanOrEqual(ATTEMPTS);
  await page.unroute(isPart);
  const answer = page.waitForResponse((response) => isPart(new URL(response.url())) && response.ok());
  await refresh();
  await answer;
}
