import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { photo } from '../support/images/images.js';

const RUN_MS = 120_000;
const CREATE = '**/dashboard/api/ai/enhance';
const ONE_JOB = '**/dashboard/api/ai/enhance/*';
const UPLOAD = '**/dashboard/api/ai/upload';
const EVENTS = '**/dashboard/api/ai/enhance/*/events';
const CANCEL = '**/dashboard/api/ai/enhance/*/cancel';

describe('a playground run with lost responses', () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await Dashboard.start({ models: ['auto_enhance'], roles: ['api'] });
    await dashboard.signUp('faults@example.com');
    await choose();
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  /** Waits until the photo is readable. A disabled button takes neither focus nor keys. */
  const isReady = () =>
    dashboard.page.getByRole('button', { name: 'Enhance', exact: true, disabled: false }).waitFor();
  const choose = async () => {
    await dashboard.page.getByLabel('Photo', { exact: true }).setInputFiles({
      name: 'shop.jpg',
      mimeType: 'image/jpeg',
      buffer: await photo(120, 90, 'jpeg'),
    });
    await isReady();
  };
  const jobs = () =>
    dashboard.service.database.rows<{ id: string; status: string; error_code: string | null }>(
      'SELECT id, status, error_code FROM jobs ORDER BY id DESC',
    );
  const focused = () => dashboard.page.evaluate(() => document.activeElement?.textContent);
  const isWaiting = () => dashboard.page.getByText('Waiting in the queue').waitFor();
  const isCanceled = () =>
    dashboard.page.getByRole('status').getByText('Canceled', { exact: true }).waitFor();

  /** Lets the next creation reach the service but holds its response. @returns a function that releases it */
  const holdCreation = async (): Promise<() => void> => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await dashboard.page.route(
      CREATE,
      async (route) => {
        const response = await route.fetch();
        await held;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    return answer;
  };
  const startHeld = async (): Promise<() => void> => {
    const before = (await jobs()).length;
    const answer = await holdCreation();
    await dashboard.button('Enhance').click();
    await expect.poll(async () => (await jobs()).length).toBe(before + 1);
    await dashboard.page.getByText('Creating the job').waitFor();
    return answer;
  };

  it('keeps the focus on its button from start to end', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    await dashboard.button('Enhance').focus();
    await page.keyboard.press('Enter');
    await isWaiting();
    expect(await focused()).toBe('Cancel');
    await page.keyboard.press('Enter');
    await isCanceled();
    await expect.poll(focused).toBe('Enhance');
    expect((await jobs()).map(({ status }) => status)).toEqual(['failed']);
  });

  it('counts a double click as one click', { timeout: RUN_MS }, async () => {
    const before = (await jobs()).length;
    await dashboard.button('Enhance').dblclick();
    await isWaiting();
    expect((await jobs()).map(({ status }) => status)).toEqual(['queued', ...Array(before).fill('failed')]);
    await dashboard.button('Cancel').click();
    await isCanceled();

    const answer = await startHeld();
    await dashboard.button('Cancel').dblclick();
    await dashboard.page.getByText('Not started').waitFor();
    answer();
    await expect.poll(async () => (await jobs())[0]!.error_code).toBe('canceled');
    expect(await jobs()).toHaveLength(before + 2);
  });

  it('creates one job, however often the creation is retried', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    const before = (await jobs()).length;
    await page.route(
      CREATE,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await dashboard.button('Enhance').click();
    const alert = page.getByRole('alert');
    await alert.getByText("Can't reach the service").waitFor();
    expect(await jobs()).toHaveLength(before + 1);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await isWaiting();
    expect(await focused()).toBe('Cancel');
    expect(await jobs()).toHaveLength(before + 1);
    await dashboard.button('Cancel').click();
    await isCanceled();

    await dashboard.button('Enhance').click();
    await isWaiting();
    expect(await jobs()).toHaveLength(before + 2);
  });

  it(
    'reports when a cancellation does not go through, and cancels on retry',
    { timeout: RUN_MS },
    async () => {
      const { page } = dashboard;
      const [job] = await jobs();
      await page.route(CANCEL, (route) => route.abort(), { times: 1 });
      await dashboard.button('Cancel').click();
      const alert = page.getByRole('alert');
      await alert.getByText('The job was not canceled', { exact: false }).waitFor();
      expect(await alert.getByRole('link', { name: 'View job' }).getAttribute('href')).toBe(
        `/jobs/${job!.id}`,
      );
      expect((await jobs())[0]!.status).toBe('queued');
      await dashboard.button('Cancel').click();
      await isCanceled();
      await expect.poll(() => alert.count()).toBe(0);
    },
  );

  it('also reports it when the job was created after Cancel was pressed', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    const answer = await startHeld();
    const [job] = await jobs();
    await page.route(CANCEL, (route) => route.abort(), { times: 1 });
    await dashboard.button('Cancel').click();
    await page.getByText('Not started').waitFor();
    answer();
    const alert = page.getByRole('alert');
    await alert.getByText('The job was not canceled', { exact: false }).waitFor();
    expect(await alert.getByRole('link', { name: 'View job' }).getAttribute('href')).toBe(`/jobs/${job!.id}`);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await jobs())[0]!.error_code).toBe('canceled');
    await expect.poll(() => alert.count()).toBe(0);
  });

  it('is restored after a late response that the previous job is gone', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(
      ONE_JOB,
      async (route) => {
        await held;
        await route.fulfill({ status: 404, body: '' });
      },
      { times: 1 },
    );
    const answered = page.waitForResponse(
      (response) => response.status() === 404 && response.url().includes('/ai/enhance/job_'),
    );
    await page.reload();
    await choose();
    await dashboard.button('Enhance').click();
    await isWaiting();
    answer();
    await (await answered).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await page.reload();
    await isWaiting();
    expect((await jobs())[0]!.status).toBe('queued');
    await dashboard.button('Cancel').click();
    await isCanceled();
  });

  it('continues when the user leaves the page during its creation', { timeout: RUN_MS }, async () => {
    const { page } = dashboard;
    const cancels: string[] = [];
    page.on('request', (request) => request.url().endsWith('/cancel') && cancels.push(request.url()));
    const answer = await startHeld();
    const answered = page.waitForResponse(
      (response) =>
        response.request().method() === 'POST' && response.url().endsWith('/dashboard/api/ai/enhance'),
    );
    await dashboard.go('Jobs');
    answer();
    await answered;
    const all = await jobs();
    const lastJob = () => page.evaluate(() => sessionStorage.getItem('playground-job'));
    await expect.poll(lastJob).toBe(all[0]!.id);
    // A cancellation would be sent as soon as the page has read the response.
    await page.waitForTimeout(1_000);
    expect(cancels).toEqual([]);
    expect(all[0]!.status).toBe('queued');
    // The playground shows it, instead of offering to create it again.
    await dashboard.go('Playground');
    await isWaiting();
    expect(await jobs()).toEqual(all);
    await dashboard.button('Cancel').click();
    await isCanceled();
  });

  it('sends a photo once for an estimate and a run, and says why an estimate fails', async () => {
    const { page } = dashboard;
    const estimate = dashboard.button('Estimate time and size');
    const problem = { title: 'Refused', status: 403, detail: 'No photos today.', code: 'no_photos' };
    await dashboard.button('Choose another photo').click();
    await choose();
    await page.route(UPLOAD, (route) => route.fulfill({ status: 403, json: problem }), { times: 1 });
    await estimate.click();
    await page.getByRole('alert').getByText('No photos today.').waitFor();
    let uploads = 0;
    let send: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (send = resolve));
    await page.route(UPLOAD, async (route) => {
      uploads += 1;
      await held;
      await route.continue();
    });
    await estimate.click();
    await expect.poll(() => uploads).toBe(1);
    await dashboard.button('Enhance').click();
    await page.getByText(/^Uploading: /).waitFor();
    send();
    await isWaiting();
    expect(uploads).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.unroute(UPLOAD);
    await dashboard.button('Cancel').click();
    await isCanceled();
  });

  it('shows its result even if the service was down while it ran', { timeout: 2 * RUN_MS }, async () => {
    // The photo is still selected: the playground keeps it when the user leaves the page.
    const { page } = dashboard;
    const before = (await jobs()).length;
    let looks = 0;
    await page.route(EVENTS, (route) => route.fulfill({ status: 503, body: '' }), { times: 2 });
    await page.route(
      ONE_JOB,
      (route) => {
        looks += 1;
        return route.fulfill({ status: 502, body: 'Bad Gateway' });
      },
      { times: 2 },
    );
    await dashboard.button('Enhance').click();
    await expect.poll(() => looks).toBe(2);
    expect(await page.getByRole('alert').count()).toBe(0);
    // From here on, only the read after the end fails, which is for the thumbnail of the result.
    let hasEnded = false;
    await page.route(ONE_JOB, async (route) => {
      if (hasEnded) return route.fulfill({ status: 502, body: 'Bad Gateway' });
      const response = await route.fetch();
      hasEnded = ((await response.json()) as { status: string }).status === 'completed';
      return route.fulfill({ response });
    });
    await dashboard.service.startRole('worker');
    await page.getByText(/^Done in /).waitFor({ timeout: RUN_MS });
    await page.getByRole('slider', { name: /^Divider/ }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await jobs()).toHaveLength(before + 1);
    await page.unroute(ONE_JOB);
  });

  it('causes no errors except those of this test', () => {
    expect(dashboard.faults.filter((fault) => !/^50[23] /.test(fault))).toEqual([]);
  });
});
