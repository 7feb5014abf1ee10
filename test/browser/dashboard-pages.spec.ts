import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../src/common/resources/job.dto.js';
import { barriersOf } from '../support/browser/barriers.js';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { inspectPage, stillMoving } from '../support/browser/inspect-page.js';
import type { SharedService } from '../support/roles/shared-service.js';
import { eventually } from '../support/roles/flow-wait.js';
import { photo } from '../support/images/images.js';
import { WebhookReceiver } from '../support/webhooks/webhook-receiver.js';
import { takePicture } from '../support/browser/take-picture.js';

const PAGES = {
  playground: '/playground',
  jobs: '/jobs',
  batches: '/batches',
  results: '/results',
  'shared-links': '/results/shared',
  photos: '/photos',
  keys: '/keys',
  activity: '/activity',
  usage: '/usage',
  webhooks: '/webhooks',
  deliveries: '/webhooks/deliveries',
  signature: '/webhooks/signature',
  models: '/models',
  account: '/account',
};
/** Pages that show the same with the data of this spec as without. */
const WITHOUT_DATA = new Set(['batches', 'shared-links', 'signature']);
const SIGNED_OUT = { 'sign-in': '/sign-in', 'sign-up': '/sign-up' };
/** Half of the "good" limit of the Web Vitals. */
const MAX_SHIFT = 0.05;

describe('every page of the dashboard', () => {
  let dashboard: Dashboard<SharedService>;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    dashboard = await Dashboard.join();
  });
  afterAll(async () => {
    await dashboard?.close();
    await receiver?.down();
  });

  /** Opens a page and waits until nothing is loading. */
  async function show(path: string): Promise<void> {
    await dashboard.open(path);
    await dashboard.page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => dashboard.page.locator('[aria-label="Loading"]').count()).toBe(0);
    for (const summary of await dashboard.page.getByText('Recent batches').all()) await summary.click();
    // What arrives late and moves the page counts, too.
    await dashboard.page.waitForTimeout(400);
  }

  /** The layout shift during loading, as browsers measure it (Layout Instability API). */
  const layoutShift = () =>
    dashboard.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((seen) => {
            const shifts = seen.getEntries() as (PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
            })[];
            resolve(shifts.filter((each) => !each.hadRecentInput).reduce((sum, { value }) => sum + value, 0));
          });
          observer.observe({ type: 'layout-shift', buffered: true });
          // The observer reports nothing if there is no shift.
          setTimeout(() => resolve(0), 300);
        }),
    );

  const barriers = (): Promise<string[]> => barriersOf(dashboard.page);

  async function inspect(paths: Readonly<Record<string, string>>, suffix: string): Promise<void> {
    for (const [name, path] of Object.entries(paths)) {
      await show(path);
      expect(await layoutShift(), `${name}${suffix} jumps`).toBeLessThan(MAX_SHIFT);
      await inspectPage(dashboard.page, `${name}${suffix}`);
    }
  }

  it('is accessible before signing in', async () => {
    await inspect(SIGNED_OUT, '');
    expect(dashboard.faults).toEqual([]);
  });

  it('is accessible while it is empty', async () => {
    await dashboard.signUp('empty@example.com');
    await inspect(PAGES, '-empty');
    expect(dashboard.faults).toEqual([]);
  });

  it('is accessible with data', { timeout: 400_000 }, async () => {
    await dashboard.signUp('busy@example.com');
    await dashboard.call('POST', '/keys', { name: 'Shop backend' });
    const endpoint = await dashboard.call<{ id: string }>('POST', '/webhooks/endpoints', {
      url: receiver.url('/hooks'),
      description: 'Production',
    });
    await dashboard.call('POST', `/webhooks/endpoints/${endpoint.id}/rotate-secret`, {});
    const sourceUrl = await dashboard.upload(await photo(640, 480, 'jpeg'));
    const jobs: JobDto[] = [];
    for (const operation of ['upscale', 'auto_enhance', 'smooth_skin'])
      jobs.push(await dashboard.call<JobDto>('POST', '/ai/enhance', { sourceUrl, operation, level: 'low' }));
    await eventually('the jobs to end', async () => {
      const states = await Promise.all(
        jobs.map(({ id }) => dashboard.call<JobDto>('GET', `/ai/enhance/${id}`)),
      );
      const isDone = states.every(({ status }) => status === 'completed');
      return { found: isDone ? true : undefined, seen: states };
    });
    const delivery = await eventually('a delivery', async () => {
      const list = await dashboard.call<{ data: { id: string; status: string }[] }>(
        'GET',
        '/webhooks/deliveries',
      );
      return { found: list.data.find(({ status }) => status === 'succeeded'), seen: list.data };
    });
    const withData = Object.entries(PAGES).filter(([name]) => !WITHOUT_DATA.has(name));
    const withDetails = {
      ...Object.fromEntries(withData),
      job: `/jobs/${jobs[0]!.id}`,
      delivery: `/webhooks/deliveries/${delivery.id}`,
    };
    await inspect(withDetails, '');
    expect(dashboard.faults).toEqual([]);
  });

  it('has accessible dialogs', async () => {
    const { page } = dashboard;
    await show('/webhooks');
    await dashboard.button('Add endpoint').click();
    await page.getByRole('switch', { name: 'All events' }).click({ force: true });
    await page.getByRole('checkbox', { name: 'ping' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await stillMoving(page), colorScheme).toEqual([]);
      await takePicture(page, `dialog-${colorScheme}`);
      expect(await barriers(), colorScheme).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('explains what to do when the service is down', async () => {
    const { page } = dashboard;
    await show('/playground');
    await page.route('**/dashboard/api/{ai/enhance,keys,usage,models}**', (route) => route.abort());
    for (const name of ['Jobs', 'API keys', 'Usage', 'Models']) {
      await dashboard.go(name);
      await page.getByText("Can't reach the service").first().waitFor();
      await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    }
    await takePicture(page, 'away-light');
    expect(await barriers()).toEqual([]);
    await page.unroute('**/dashboard/api/{ai/enhance,keys,usage,models}**');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('article').first().waitFor();
  });
});
