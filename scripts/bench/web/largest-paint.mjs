import { median } from '../load.mjs';

const ROUNDS = 5;
/** How long nothing larger may be painted before the page counts as complete. */
const CALM_MS = 1_500;
const LIMIT_MS = 2_500;

/** The pages that people open every day. */
const PAGES = ['/playground', '/jobs', '/results', '/batches', '/photos', '/usage', '/keys'];

/**
 * Largest contentful paint of the main pages of an account with many jobs, without a cache, on a processor that is slowed
 * down. The median of several rounds, since other work of the machine delays single ones.
 * @param {import('playwright-core').BrowserContext} context signed in
 * @param {string} base
 * @param {number} slowdown
 */
export async function measureLargestPaints(context, base, slowdown) {
  const rows = [];
  for (const path of PAGES) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(await largestPaintMs(context, `${base}${path}`, slowdown));
    const what = `largest contentful paint of ${path}, CPU ${slowdown} × slower`;
    rows.push({ what, value: median(rounds), unit: `ms (under ${LIMIT_MS})` });
  }
  return rows;
}

async function largestPaintMs(context, address, slowdown) {
  const page = await context.newPage();
  try {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(watchLargestPaint);
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction((calmMs) => performance.now() - window.largestPaintSeenMs > calmMs, CALM_MS);
    return await page.evaluate(() => window.largestPaintMs);
  } finally {
    await page.close();
  }
}

/** Runs in the page before anything of it. */
function watchLargestPaint() {
  window.largestPaintMs = 0;
  window.largestPaintSeenMs = Infinity;
  new PerformanceObserver((list) => {
    window.largestPaintMs = list.getEntries().at(-1).startTime;
    window.largestPaintSeenMs = performance.now();
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}
