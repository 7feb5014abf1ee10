import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { taskTimes } from '../../support/browser/task-times.js';
import { photo } from '../../support/images/images.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const EMAIL = `long-tasks-${process.pid}@example.com`;
const JOBS = 2_000;
/** The browser's definition of a long task; this is CPU time, so a busy machine changes little. */
const LONG_MS = 50;
/** The visible tiles, and some above and below. */
const MAX_TILES = 60;

/** Completed jobs of one photo, with results. */
const ADD_JOBS = `
  INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, progress, attempts,
                    model, device, timings, source_pixels, period, result_key, result_format, result_width,
                    result_height, result_bytes, result_sha256, result_expires_at, created_at, started_at, completed_at)
  SELECT 'job_' || md5($1 || n), s.account_id, s.id, (ARRAY['upscale', 'bg_remove'])[1 + n % 2], 'low',
         '{"format":"jpeg","quality":null,"background":null}', '{}', 'completed', 1, 1,
         '{"name":"none","version":1,"sha256":"00"}', 'cpu',
         '{"queuedMs":5,"decodeMs":20,"inferenceMs":900,"encodeMs":40,"totalMs":1000}', 100, '2000-01', 'none/' || n,
         'jpeg', 1024, 768, 200000, repeat('0', 64), now() + interval '1 day',
         now() - n * interval '1 minute', now(), now()
    FROM sources s JOIN accounts a ON a.id = s.account_id, generate_series(1, $2::int) AS n
   WHERE a.email = $1`;

describe('pages of an account with 2,000 jobs', () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    await dashboard.upload(await photo(64, 48, 'jpeg'));
    await dashboard.service.database.rows(ADD_JOBS, [EMAIL, JOBS]);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const itemsOf = (name: string) =>
    dashboard.page.getByRole('list', { name, exact: true }).getByRole('listitem');

  it('scroll through all jobs without a long task', async () => {
    const { page } = dashboard;
    await dashboard.open('/jobs');
    await itemsOf('Jobs').first().waitFor();
    const times = await taskTimes(page, () =>
      page.evaluate(async () => {
        while (!document.body.textContent.includes('End of list')) {
          window.scrollBy(0, 600);
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      }),
    );
    expect(times.length).toBeGreaterThan(100);
    expect(times[0]).toBeLessThan(LONG_MS);
  });

  it('load all results into the gallery and scroll through them without a long task', async () => {
    const { page } = dashboard;
    await dashboard.open('/results');
    await itemsOf('Results').first().waitFor();
    const more = page.getByRole('button', { name: 'Load more' });
    const loading = page.locator('button[data-loading]');
    const end = page.getByText('End of list');
    const times = await taskTimes(page, async () => {
      // The dashboard also reads the newest page again by itself, so responses do not tell which page was loaded.
      for (await end.or(more).waitFor(); await more.isVisible(); await end.or(more).waitFor()) {
        await more.click();
        await loading.waitFor({ state: 'detached' });
      }
      await page.evaluate(async () => {
        for (let top = document.body.scrollHeight; top > 0; top -= 2_000) {
          window.scrollTo(0, top);
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      });
    });
    expect(times.length).toBeGreaterThan(100);
    expect(times[0]).toBeLessThan(LONG_MS);
    expect(await itemsOf('Results').count()).toBeLessThan(MAX_TILES);
    await itemsOf('Results').first().waitFor();
    expect(await itemsOf('Results').first().getAttribute('aria-posinset')).toBe('1');
  });
});
