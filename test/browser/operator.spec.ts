import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import type { SharedService } from '../support/roles/shared-service.js';

const RUN_MS = 120_000;
const EMAIL = 'operator-console@example.com';

/** An hour, a day and a week of a busy installation, with a gap. */
const HISTORY = `
  INSERT INTO load_samples (resolution, at, jobs, failed, latencies, queued, oldest_wait_seconds, workers,
                            gpu_utilization, gpu_memory_bytes, deliveries_due)
  SELECT r, date_bin(r * interval '1 second', now(), 'epoch') - n * r * interval '1 second',
         (r / 60) * (40 + 25 * sin(n / 6.0)), CASE WHEN n % 9 = 0 THEN 3 ELSE 0 END,
         array_fill(0, ARRAY[20 + n % 5]) || ARRAY[50, 30, 2] || array_fill(0, ARRAY[57 - n % 5]),
         10 + 10 * sin(n / 4.0), 4 + 3 * sin(n / 4.0), 2, 0.5 + 0.4 * sin(n / 7.0), 2e10, n % 7
    FROM (VALUES (60, 59), (600, 143), (3600, 167)) AS s (r, most) CROSS JOIN LATERAL generate_series(3, most) n
   WHERE n NOT BETWEEN 20 AND 24
  ON CONFLICT DO NOTHING`;

describe('the operator console', () => {
  let dashboard: Dashboard<SharedService>;
  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  it('tells accounts without the operator role how to get it', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.open('/operator');
    await page.getByText('Only operators can see this page').waitFor();
    await page.getByText(`npm run admin -- operator grant ${EMAIL}`).waitFor();
    expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
    await dashboard.inspect('operator-refused');
  });

  it('shows load, history and workers to an operator', { timeout: RUN_MS }, async () => {
    const { page, service } = dashboard;
    await service.database.rows('UPDATE accounts SET operator_since = now() WHERE email = $1', [EMAIL]);
    await service.database.rows(HISTORY);
    await dashboard.open('/playground');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Operator' }).click();
    await dashboard.heading('Overview').waitFor();
    expect(await dashboard.consoleLink('Overview').getAttribute('aria-current')).toBe('page');
    const workers = page.getByRole('region', { name: 'Workers' });
    await workers.getByText('Serving').first().waitFor();
    await page.getByText('Jobs per minute').first().waitFor();
    const chart = page.getByRole('img', { name: /^Jobs per minute: .*peak/ });
    await chart.waitFor();
    await dashboard.inspect('operator');
    for (const span of ['24 hours', '7 days']) {
      const answer = page.waitForResponse(/operator\/api\/history/);
      await page.getByText(span, { exact: true }).click();
      expect((await answer).status()).toBe(200);
      await chart.waitFor();
    }
    expect(dashboard.faults).toEqual([]);
  });

  it('shows the current section in its navigation on a phone', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    const desktop = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await dashboard.open('/operator/settings');
    await dashboard.heading('Settings').waitFor();
    const link = dashboard.consoleLink('Settings');
    await expect
      .poll(() => link.evaluate((one) => one.getBoundingClientRect().right))
      .toBeLessThanOrEqual(390);
    expect(await link.evaluate((one) => one.getBoundingClientRect().left)).toBeGreaterThanOrEqual(0);
    await page.setViewportSize(desktop);
  });

  it('disappears with the role, without signing out', { timeout: RUN_MS }, async () => {
    const { page, service } = dashboard;
    await service.database.rows('UPDATE accounts SET operator_since = NULL WHERE email = $1', [EMAIL]);
    await dashboard.consoleLink('Overview').click();
    await page.getByText('Only operators can see this page').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
  });
});
