import { median } from '../load.mjs';
import { measured, under } from '../verdict.mjs';
import { awaitInPage } from './await-in-page.mjs';

const ROUNDS = 5;
/** Time without a larger paint after which the page counts as complete. */
const CALM_MS = 1_500;
const LIMIT_MS = 2_500;

/** The pages that are used most. */
const PAGES = ['/playground', '/jobs', '/results', '/batches', '/photos', '/usage', '/keys'];

/**
 * Largest contentful paint of the main pages of an account with many jobs, without a cache, on a throttled processor.
 * Takes the median of several rounds, because other load slows down single ones.
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
    rows.push(measured(what, median(rounds), 'ms', under(LIMIT_MS)));
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
    await page.addInitScript(watchLargestPaint, CALM_MS);
    await page.goto(address);
    return await awaitInPage(devtools, 'window.largestPaintMs');
  } finally {
    await page.close();
  }
}

/** Runs in the page before any of its scripts. */
function watchLargestPaint(calmMs) {
  window.largestPaintMs = new Promise((resolve) => {
    let timer;
    let startTime = 0;
    let hadHeading = false;
    const settle = () => {
      if (hadHeading) return resolve(startTime);
      hadHeading = document.querySelector('h1') !== null;
      timer = setTimeout(settle, calmMs);
    };
    new PerformanceObserver((list) => {
      startTime = list.getEntries().at(-1).startTime;
      clearTimeout(timer);
      timer = setTimeout(settle, calmMs);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
}
