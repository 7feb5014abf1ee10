import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { photo } from '../support/images/images.js';
import { takePicture } from '../support/browser/take-picture.js';

const EMAIL = 'stops@example.com';
const RUN_MS = 120_000;
/** Enough for a person and for this test, but a loop would soon use it up. */
const REQUESTS_PER_MINUTE = 150;
interface Usage {
  readonly enhancements: { readonly used: number };
}

describe('a playground run that does not complete', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await Dashboard.start({
      roles: ['api', 'dispatcher'],
      env: { DASHBOARD_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE) },
    });
    await dashboard.signUp(EMAIL);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const choose = async (width: number, height: number) =>
    dashboard.page.getByLabel('Photo', { exact: true }).setInputFiles({
      name: 'shop.jpg',
      mimeType: 'image/jpeg',
      buffer: await photo(width, height, 'jpeg'),
    });
  const used = async () => (await dashboard.call<Usage>('GET', '/usage')).enhancements.used;
  const jobs = () =>
    dashboard.service.database.rows<{ status: string; error_code: string | null }>(
      'SELECT status, error_code FROM jobs ORDER BY id DESC',
    );
  /** Waits until the page stops reading the usage, which it does after each change of a job. */
  const usageIsRead = async () => {
    let lastMs = performance.now();
    const note = (request: { url: () => string }) => {
      if (request.url().includes('/usage')) lastMs = performance.now();
    };
    dashboard.page.on('request', note);
    await expect.poll(() => performance.now() - lastMs, { timeout: RUN_MS }).toBeGreaterThan(1_500);
    dashboard.page.off('request', note);
  };
  const picture = async (name: string) => {
    // Waits until fonts and fades have settled.
    await dashboard.page.waitForTimeout(400);
    await takePicture(dashboard.page, name, { fullPage: true });
  };

  it('can be canceled during the upload, and leaves nothing behind', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await choose(1200, 900);
    const devtools = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2_000 };
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slow);
    await dashboard.button('Enhance').click();
    await page.getByText(/^Uploading: /).waitFor();
    await picture('run-uploading');
    await dashboard.button('Cancel').click();
    await page.getByText('Not started').waitFor();
    await devtools.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await devtools.detach();
    expect(await dashboard.button('Enhance').isEnabled()).toBe(true);
    expect(await jobs()).toEqual([]);
    expect(await dashboard.service.database.rows('SELECT 1 FROM sources')).toEqual([]);
  });

  it(
    'can be canceled during its creation, and then the new job is canceled, too',
    { timeout: RUN_MS },
    async () => {
      const { page } = dashboard;
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/dashboard/api/ai/enhance', async (route) => {
        const response = await route.fetch();
        await held;
        // The page has canceled the request.
        await route.fulfill({ response }).catch(() => undefined);
      });
      await dashboard.button('Enhance').click();
      await expect.poll(async () => (await jobs()).length).toBe(1);
      await page.getByText('Creating the job').waitFor();
      await dashboard.button('Cancel').click();
      await page.getByText('Not started').waitFor();
      answer();
      await expect.poll(jobs).toEqual([{ status: 'failed', error_code: 'canceled' }]);
      await page.unroute('**/dashboard/api/ai/enhance');
      await page.getByText('Not started').waitFor();
      expect(await used()).toBe(0);
    },
  );

  it('can be canceled in the queue, at no charge', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.button('Enhance').click();
    await page.getByText('Waiting in the queue').waitFor();
    expect(await used()).toBe(1);
    await picture('run-queued');
    await dashboard.button('Cancel').click();
    await page.getByRole('status').getByText('Canceled', { exact: true }).waitFor();
    await page.getByText('Not charged', { exact: true }).waitFor();
    const steps = page.getByRole('list', { name: 'Progress' }).getByRole('listitem');
    const states = await steps.evaluateAll((items) =>
      items.map((item) => (item as HTMLElement).dataset['state']),
    );
    expect(states).toEqual(['done', 'done', 'later', 'canceled']);
    await picture('run-canceled');
    expect((await jobs())[0]).toEqual({ status: 'failed', error_code: 'canceled' });
    expect(await used()).toBe(0);
    await expect.poll(() => dashboard.button('Enhance').isEnabled()).toBe(true);
  });

  it('can be canceled in the middle, and the next run completes', { timeout: 2 * RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.service.startRole('worker');
    await dashboard.button('Choose another photo').click();
    await choose(2400, 1800);
    await page.getByRole('radio', { name: /^Upscale/ }).check();
    await dashboard.button('Enhance').click();
    await page.getByText('Enhancing').waitFor({ timeout: RUN_MS });
    await picture('run-processing');
    await dashboard.button('Cancel').click();
    await page.getByRole('status').getByText('Canceled', { exact: true }).waitFor();
    expect((await jobs())[0]).toEqual({ status: 'failed', error_code: 'canceled' });
    expect(await used()).toBe(0);

    await dashboard.button('Choose another photo').click();
    await choose(120, 90);
    await dashboard.button('Enhance').click();
    await page.getByText(/^Done in /).waitFor({ timeout: RUN_MS });
    expect(await used()).toBe(1);
  });

  it(
    'is refused when the requests per minute are used up, and completes later',
    { timeout: RUN_MS },
    async () => {
      const { page, service } = dashboard;
      // Old rows are deleted meanwhile, so this request creates a new one.
      await used();
      // So many that no request is allowed before the next minute, however slow the machine is.
      const exceeded = await service.database.rows(
        `UPDATE rate_limits SET window_index = floor(extract(epoch FROM clock_timestamp()) / 60), current_count = $1
          WHERE bucket LIKE 'dashboard:%' RETURNING bucket`,
        [REQUESTS_PER_MINUTE * 10],
      );
      expect(exceeded).toHaveLength(1);
      const before = (await jobs()).length;
      const alert = page.getByRole('alert');
      const refused = alert.getByText('limit of dashboard requests per minute', { exact: false });
      // The estimate for other settings is refused, too.
      await page.getByRole('radio', { name: /^Auto enhance/ }).check();
      await refused.waitFor();
      await dashboard.button('Enhance').click();
      await alert.getByRole('button', { name: 'Try again' }).waitFor();
      expect(await refused.count()).toBe(1);
      await alert.getByText(/Try again in \d+ seconds?\./).waitFor();
      await picture('limit-requests');
      expect((await jobs()).length).toBe(before);
      expect(
        await page
          .getByAltText(/^After: |shop\.jpg/)
          .first()
          .isVisible(),
      ).toBe(true);

      // Simulates that a minute has passed.
      await service.database.rows('DELETE FROM rate_limits');
      await alert.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(async () => (await jobs()).length, { timeout: RUN_MS }).toBe(before + 1);
      await expect.poll(async () => (await jobs())[0]!.status, { timeout: RUN_MS }).toBe('completed');
      await page.getByText(/^Done in /).waitFor({ timeout: RUN_MS });
      expect(await alert.count()).toBe(0);
    },
  );

  it(
    'is refused when the monthly quota is used up, with a hint at a larger plan',
    { timeout: RUN_MS },
    async () => {
      const { page, service } = dashboard;
      // If the page read the usage after the change, it would disable the button.
      await usageIsRead();
      await service.database.rows(`UPDATE accounts SET limits = '{"enhancements": 2}' WHERE email = $1`, [
        EMAIL,
      ]);
      expect(await used()).toBe(2);
      const before = (await jobs()).length;
      await dashboard.button('Enhance').click();
      const alert = page.getByRole('alert');
      await alert.waitFor({ timeout: RUN_MS });
      const hint = alert.getByRole('link', { name: /See the .+ plan/ });
      expect(await hint.getAttribute('href')).toContain('/docs/plans');
      await picture('limit-enhancements');
      expect((await jobs()).length).toBe(before);
      expect(await used()).toBe(2);
      await dashboard.go('Usage');
      await page.getByRole('meter', { name: 'Enhancements this month' }).waitFor();
      await picture('limit-usage');
    },
  );

  it('causes no errors along the way', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
