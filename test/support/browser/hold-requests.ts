import type { Page, Route } from 'playwright-core';

/** Requests that wait before they reach the service. */
export interface HeldRequests {
  /** Resolves when the first request waits. */
  readonly arrived: Promise<void>;
  /** Sends them to the service, and holds no more. */
  readonly release: () => void;
}

/** Holds requests until `release` is called. @param url a pattern of Playwright */
export async function holdRequests(page: Page, url: string, method: string): Promise<HeldRequests> {
  const [arrived, arrive] = signal();
  const [released, release] = signal();
  await page.route(url, async (route: Route) => {
    if (route.request().method() === method) {
      arrive();
      await released;
    }
    await route.fallback();
  });
  return { arrived, release };
}

function signal(): readonly [Promise<void>, () => void] {
  let send: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => (send = resolve));
  return [sent, send];
}
