import { median } from '../load.mjs';
import { measured, under } from '../verdict.mjs';
import { awaitInPage } from './await-in-page.mjs';
import { busyClock } from './busy-clock.mjs';

const ROUNDS = 7;

/**
 * First paint of a page and of its heading, without a cache. When the heading is there, the page is usable.
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} base
 * @param {string} path
 * @param {number} slowdown of the CPU
 */
export async function measureFirstPaint(context, base, path, slowdown) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const busyMs = await busyClock(devtools);
    await page.addInitScript(watchHeading);
    await page.goto(`${base}${path}`);
    const times = await awaitInPage(devtools, 'window.firstTimes');
    rounds.push({ busyMs: await busyMs(), ...times });
    await page.close();
  }
  const row = (what, name, unit, target) =>
    measured(what, median(rounds.map((each) => each[name])), unit, target);
  return [
    row(`first paint of ${path}, CPU ${slowdown} × slower`, 'paintMs', 'ms', under(1000)),
    row(`heading of ${path} in the page, CPU ${slowdown} × slower`, 'headingMs', 'ms (for comparison)'),
    row('processor time of the page until then', 'busyMs', 'ms (whatever else the machine does)'),
  ];
}

/** Runs in the page before any of its scripts. */
function watchHeading() {
  const firstPaint = new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const paint = list.getEntriesByName('first-contentful-paint')[0];
      if (paint !== undefined) resolve(paint.startTime);
    }).observe({ type: 'paint', buffered: true });
  });
  const heading = new Promise((resolve) => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('h1') === null) return;
      requestAnimationFrame(() => resolve(performance.now()));
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  window.firstTimes = Promise.all([firstPaint, heading]).then(([paintMs, headingMs]) => ({
    paintMs,
    headingMs,
  }));
}
