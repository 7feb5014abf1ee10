import type { Page } from 'playwright-core';

/** Lets the next request reach the service, but not its response the page. @param url a pattern of Playwright */
export function loseResponse(page: Page, url: string): Promise<unknown> {
  return page.route(
    url,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

/** Answers the next request as the rate limit does, without sending it to the service. */
export function refuseOnce(page: Page, url: string): Promise<unknown> {
  return page.route(
    url,
    (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        json: { title: 'Too many requests', status: 429, detail: 'Wait a moment.', code: 'rate_limited' },
      }),
    { times: 1 },
  );
}
