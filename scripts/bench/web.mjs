// Measures the dashboard: the first paint on a slow machine, and a list of 10,000 jobs. Chromium throttles the page;
// the service runs at full speed on the same machine.
import { join } from 'node:path';
import { openHeadlessBrowser } from '../lib/browser/headless-browser.mjs';
import { firstLoad, pages } from '../lib/web-size.mjs';
import { openStage } from './stage.mjs';
import { atLeast, atMost, measured, remark, under } from './verdict.mjs';
import { busyClock } from './web/busy-clock.mjs';
import { measureFirstPaint } from './web/first-paint.mjs';
import { addJobs, addThumbnails } from './web/jobs.mjs';
import { measureLargestPaints } from './web/largest-paint.mjs';

const SLOWDOWN = 4;
const JOBS = 10_000;
const STILL_MS = 10_000;
const LOOKING_MS = 8_000;
const LOOKING_STEP_PIXELS = 40;
const GALLERY_RESULTS = 2_000;
const RESULTS_PER_PAGE = 100;
const GALLERY_MS = 20_000;
const GALLERY_STEP_PIXELS = 240;
const VIEWPORT = { width: 1280, height: 900 };
/** No task of the page may take more than 50 ms. */
const NONE = atMost(0);
const CREDENTIALS = { email: 'bench@web.example', password: 'correct horse battery staple' };

/** Runs all measurements and prints a table, or JSON. */
export async function run({ json }) {
  const stage = await openStage();
  const base = `http://127.0.0.1:${stage.api.port}`;
  let browser;
  try {
    browser = await openHeadlessBrowser({ viewport: VIEWPORT });
    const { context } = browser;
    const rows = [sizeRow(), ...(await measureFirstPaint(context, base, '/sign-in', SLOWDOWN))];
    const accountId = await signUp(context, base);
    rows.push(...(await measureFirstPaint(context, base, '/playground', SLOWDOWN)));
    await addJobs(stage.databaseUrl, accountId, JOBS);
    await addThumbnails(join(stage.dataDir, 'objects'), JOBS);
    rows.push(...(await measureLargestPaints(context, base, SLOWDOWN)));
    rows.push(...(await measureList(context, base)));
    rows.push(...(await measureGallery(context, base)));
    process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
    return rows;
  } finally {
    await browser?.close();
    await stage.close();
  }
}

function sizeRow() {
  const largest = Math.max(...pages().map((page) => firstLoad(page).gzipBytes));
  return measured('JavaScript before the largest page, gzip', largest / 1000, 'kB', under(300));
}

async function signUp(context, base) {
  const page = await context.newPage();
  await page.goto(`${base}/sign-up`);
  const answer = await page.evaluate(async (body) => {
    const post = (path) =>
      fetch(`/dashboard/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('sign-up');
    return (await post('sign-in')).json();
  }, CREDENTIALS);
  await page.close();
  return answer.account.id;
}

/**
 * Scrolls slowly enough to see pictures, then to the end of the list as fast as pages load, and then filters the list.
 * Not throttled.
 */
async function measureList(context, base) {
  const page = await context.newPage();
  await page.addInitScript(watchFrames);
  await page.goto(`${base}/jobs`);
  await page.getByRole('list', { name: 'Jobs' }).getByRole('link').first().waitFor();
  await page.evaluate(() => window.frames10k.begin());
  await page.evaluate(scrollFor, { stepPixels: LOOKING_STEP_PIXELS, durationMs: LOOKING_MS });
  const looking = await page.evaluate(() => window.frames10k.end());
  const pictures = await page.evaluate(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/thumb_')).length,
  );
  const busyMs = await busyClock(await context.newCDPSession(page));
  await page.evaluate(() => window.frames10k.begin());
  const scrolled = await page.evaluate(scrollToEnd, 'End of list');
  const scrolling = await page.evaluate(() => window.frames10k.end());
  const scrollingBusyMs = await busyMs();
  const still = await measureStillPage(context, base);
  await page.evaluate(() => window.frames10k.begin());
  await page.getByLabel('Status').selectOption('failed');
  await page.waitForURL((url) => url.search.includes('failed'));
  const list = page.getByRole('list', { name: 'Jobs' });
  await list.getByText('Completed').first().waitFor({ state: 'detached' });
  await list.getByText('Failed').first().waitFor();
  const filtering = await page.evaluate(() => window.frames10k.end());
  const domRows = await list.getByRole('listitem').count();
  await page.close();
  return [
    measured('pictures loaded while scrolling at 2400 px/s', pictures, ''),
    measured('tasks over 50 ms meanwhile', looking.longTasks, '', NONE),
    measured('frame at the 99th percentile meanwhile', looking.p99FrameMs, 'ms'),
    measured('jobs scrolled through', scrolled, `of ${JOBS}`, atLeast(JOBS)),
    measured('tasks over 50 ms while scrolling', scrolling.longTasks, '', NONE),
    measured('processor time of the page a frame', scrollingBusyMs / scrolling.frames, 'ms (a frame has 16)'),
    measured('longest task while scrolling', scrolling.longestMs, 'ms'),
    measured('frame at the 99th percentile while scrolling', scrolling.p99FrameMs, 'ms'),
    measured('the same frame of a still page', still.p99FrameMs, 'ms (what the machine itself makes late)'),
    measured('tasks over 50 ms while filtering', filtering.longTasks, '', NONE),
    measured('rows in the page at once', domRows, '(virtual list)'),
  ];
}

/** Loads 2,000 results and scrolls through them. Only the tiles near the viewport are in the DOM. */
async function measureGallery(context, base) {
  const page = await context.newPage();
  await page.addInitScript(watchFrames);
  await page.goto(`${base}/results`);
  const tiles = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
  await tiles.first().waitFor();
  await page.evaluate(() => window.frames10k.begin());
  const isNextPage = (answer) => answer.url().includes('/ai/enhance?');
  let results = RESULTS_PER_PAGE;
  for (; results < GALLERY_RESULTS; results += RESULTS_PER_PAGE) {
    const read = page.waitForResponse(isNextPage);
    await page.getByRole('button', { name: 'Load more' }).click({ timeout: 30_000 });
    await read;
  }
  const loading = await page.evaluate(() => window.frames10k.end());
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.evaluate(() => window.frames10k.begin());
  await page.evaluate(scrollFor, { stepPixels: GALLERY_STEP_PIXELS, durationMs: GALLERY_MS });
  const scrolling = await page.evaluate(() => window.frames10k.end());
  const domTiles = await tiles.count();
  await page.close();
  return [
    measured('results in the gallery', results, ''),
    measured('tiles in the page at once', domTiles, '(virtual grid)'),
    measured('tasks over 50 ms while they are loaded', loading.longTasks, '', NONE),
    measured('longest task while they are loaded', loading.longestMs, 'ms'),
    measured('tasks over 50 ms while scrolling through them', scrolling.longTasks, '', NONE),
    measured('longest task meanwhile', scrolling.longestMs, 'ms'),
    measured('frame at the 99th percentile meanwhile', scrolling.p99FrameMs, 'ms'),
  ];
}

/** A plain page of the same service that only waits for frames, as a baseline for other load on the machine. */
async function measureStillPage(context, base) {
  const page = await context.newPage();
  await page.addInitScript(watchFrames);
  await page.goto(`${base}/docs/errors`);
  await page.evaluate(() => window.frames10k.begin());
  await page.waitForTimeout(STILL_MS);
  const still = await page.evaluate(() => window.frames10k.end());
  await page.close();
  return still;
}

/** Runs in the page: records long tasks and the time between frames. */
function watchFrames() {
  let tasks = [];
  let frames = [];
  let last = 0;
  let isOn = false;
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe(
    {
      type: 'longtask',
    },
  );
  const tick = (now) => {
    if (!isOn) return;
    if (last > 0) frames.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  window.frames10k = {
    begin: () => {
      tasks = [];
      frames = [];
      last = 0;
      isOn = true;
      requestAnimationFrame(tick);
    },
    end: () => {
      isOn = false;
      const sorted = frames.toSorted((a, b) => a - b);
      return {
        frames: frames.length,
        longTasks: tasks.length,
        longestMs: Math.max(0, ...tasks),
        p99FrameMs: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      };
    },
  };
}

/** Runs in the page. */
async function scrollFor({ stepPixels, durationMs }) {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs) {
    window.scrollBy(0, stepPixels);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Runs in the page. @returns the number of jobs that were passed */
async function scrollToEnd(endText) {
  const step = 240;
  const rowHeight = 64;
  const giveUpAtMs = performance.now() + 240_000;
  while (performance.now() < giveUpAtMs) {
    const before = window.scrollY;
    window.scrollBy(0, step);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    // Reading the text costs more than scrolling, so it is read only when the page no longer moves.
    if (window.scrollY === before && document.body.textContent.includes(endText)) break;
  }
  return Math.round(
    document.querySelector('ul[aria-label="Jobs"]').getBoundingClientRect().height / rowHeight,
  );
}

function table(rows) {
  return rows
    .map(
      ({ what, unit, ...judged }) =>
        `${what.padEnd(60)} ${judged.value.toFixed(judged.value < 100 ? 1 : 0).padStart(8)} ${unit}${remark(judged)}\n`,
    )
    .join('');
}
