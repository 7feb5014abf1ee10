import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { holdRequests } from '../../support/browser/hold-requests.js';
import { loseResponse, refuseOnce } from '../../support/browser/lost-response.js';
import { reloadQuestion } from '../../support/browser/reload-question.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { eventually } from '../../support/roles/flow-wait.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const EMAIL = `refine-${process.pid}@example.com`;
const SIDE = 320;

interface JobState {
  readonly id: string;
  readonly status: string;
  readonly operations: readonly { readonly mask?: { readonly sourceUrl: string } }[];
}

describe('refining a cutout with brushes', () => {
  let dashboard: Dashboard<SharedService>;
  let jobId: string;

  const completed = (id: string) =>
    eventually('the job to end', async () => {
      const job = await dashboard.call<JobState>('GET', `/ai/enhance/${id}`);
      return { found: job.status === 'completed' ? job : undefined, seen: job };
    });

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    const file = sharp(await readFile('scripts/assets/astronaut.png'))
      .resize(SIDE, SIDE)
      .png();
    const sourceUrl = await dashboard.upload(await file.toBuffer());
    ({ id: jobId } = await dashboard.call<JobState>('POST', '/ai/enhance', {
      sourceUrl,
      operation: 'bg_remove',
    }));
    await completed(jobId);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const dialog = () => dashboard.page.getByRole('dialog', { name: 'Refine the cutout' });
  const canvas = () => dialog().getByRole('application');
  /** How many pixels the visible marks cover. */
  const marked = () =>
    canvas().evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement;
      const { data } = (element as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    });
  const drag = async (area: Locator, from: readonly [number, number], to: readonly [number, number]) => {
    const box = (await area.boundingBox())!;
    const at = ([x, y]: readonly [number, number]) =>
      [box.x + x * box.width, box.y + y * box.height] as const;
    await dashboard.page.mouse.move(...at(from));
    await dashboard.page.mouse.down();
    await dashboard.page.mouse.move(...at(to), { steps: 8 });
    await dashboard.page.mouse.up();
  };
  /** Alpha values of the result at relative positions. */
  const alphaAt = async (id: string, points: readonly (readonly [number, number])[]) => {
    const base64 = await dashboard.page.evaluate(async (path) => {
      const bytes = new Uint8Array(await (await fetch(path)).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
    }, `/dashboard/api/ai/enhance/${id}/result`);
    const { data, info } = await sharp(Buffer.from(base64, 'base64'))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return points.map(
      ([x, y]) => data[(Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 4 + 3],
    );
  };

  it('paints with the pointer and the keyboard, and can undo', async () => {
    const { page } = dashboard;
    await dashboard.open('/jobs');
    await page.getByRole('list', { name: 'Jobs' }).getByRole('link').click();
    await dashboard.button('Refine cutout').click();
    await canvas().waitFor();
    expect(await dialog().getByRole('button', { name: 'Refine' }).isDisabled()).toBe(true);
    // The corner is background.
    await drag(canvas(), [0.04, 0.06], [0.2, 0.06]);
    const first = await marked();
    expect(first).toBeGreaterThan(500);
    await dialog().getByText('Erase', { exact: true }).click();
    // The middle is the subject. With keys, the brush starts there, wherever the pointer was before.
    await drag(canvas(), [0.5, 0.75], [0.5, 0.75]);
    const second = await marked();
    expect(second).toBeGreaterThan(first);
    await canvas().focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('Shift+ArrowRight');
    expect(await marked()).toBeGreaterThan(second);
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('Control+z');
    await expect.poll(marked).toBe(first);
    await dialog().getByRole('button', { name: 'Redo' }).click();
    await expect.poll(marked).toBe(second);
    await inspectPage(page, 'refine');
  });

  it('zooms and pans without painting', async () => {
    const before = await marked();
    await dialog().getByRole('button', { name: 'Zoom in' }).click();
    await dialog().getByText('150%').waitFor();
    await dialog().getByText('Move', { exact: true }).click();
    const scrollTop = () =>
      dialog()
        .locator('[data-frame]')
        .evaluate((frame) => frame.scrollTop);
    const { height } = (await canvas().boundingBox())!;
    const start = await scrollTop();
    await drag(canvas(), [0.3, 0.5], [0.5, 0.4]);
    expect((await scrollTop()) - start).toBeCloseTo(height * 0.1, -1);
    await drag(canvas(), [0.5, 0.4], [0.3, 0.5]);
    expect(await scrollTop()).toBe(start);
    expect(await marked()).toBe(before);
    await dialog().getByRole('button', { name: 'Zoom out' }).click();
  });

  it('zooms to the center, and scrolls to the brush that keys move', async () => {
    const { page } = dashboard;
    const frame = (await dialog().locator('[data-frame]').boundingBox())!;
    await dialog().getByText('Erase', { exact: true }).click();
    await canvas().focus();
    for (let times = 0; times < 4; times += 1) await page.keyboard.press('+');
    await dialog().getByText('400%').waitFor();
    const zoomed = (await canvas().boundingBox())!;
    expect(Math.abs(zoomed.x + zoomed.width / 2 - frame.x - frame.width / 2)).toBeLessThan(
      zoomed.width / 100,
    );
    expect(Math.abs(zoomed.y + zoomed.height / 2 - frame.y - frame.height / 2)).toBeLessThan(
      zoomed.height / 100,
    );
    for (const key of ['ArrowLeft', 'ArrowUp']) {
      for (let times = 0; times < 40; times += 1) await page.keyboard.press(key);
      // Its middle, because the ring may extend beyond the picture.
      const ring = (await dialog().locator('[data-frame] span[data-brush]').boundingBox())!;
      const [x, y] = [ring.x + ring.width / 2, ring.y + ring.height / 2];
      const isSeen =
        x >= frame.x - 1 && x <= frame.x + frame.width && y >= frame.y - 1 && y <= frame.y + frame.height;
      expect(isSeen, `${key}: ${x}, ${y} in ${JSON.stringify(frame)}`).toBe(true);
    }
    for (let times = 0; times < 4; times += 1) await page.keyboard.press('-');
  });

  it('asks before marks are discarded', async () => {
    const { page } = dashboard;
    const before = await marked();
    expect(before).toBeGreaterThan(0);
    const question = page.getByRole('dialog', { name: 'Discard your marks?' });
    const attempts = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => dialog().getByRole('button', { name: 'Cancel' }).click(),
      () => page.evaluate(() => history.back()),
    ];
    for (const attempt of attempts) {
      await attempt();
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
    }
    expect(await marked()).toBe(before);
    expect(await dialog().getByRole('button', { name: 'Undo' }).isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard marks' }).click();
    await expect.poll(() => dialog().count()).toBe(0);
    await dashboard.button('Refine cutout').click();
    await canvas().waitFor();
    await drag(canvas(), [0.04, 0.06], [0.2, 0.06]);
    await dialog().getByText('Erase', { exact: true }).click();
    await drag(canvas(), [0.5, 0.75], [0.5, 0.75]);
  });

  it('creates a result with the painted changes, which can be refined again', async () => {
    const { page } = dashboard;
    await dialog().getByRole('button', { name: 'Refine' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.pathname.startsWith('/jobs/job_') && !url.pathname.endsWith(jobId));
    const refinedId = page.url().split('/').at(-1)!;
    const job = await completed(refinedId);
    expect(job.operations[0]!.mask).toBeDefined();
    const points = [
      [0.12, 0.06],
      [0.5, 0.75],
    ] as const;
    expect(await alphaAt(jobId, points)).toEqual([0, 255]);
    expect(await alphaAt(refinedId, points)).toEqual([255, 0]);
    await dashboard.button('Refine cutout').click();
    await canvas().waitFor();
    await expect.poll(marked).toBeGreaterThan(500);
    expect(dashboard.faults).toEqual([]);
  });

  it('does not drop the earlier marks without asking if they do not load', async () => {
    const { page } = dashboard;
    const job = await dashboard.call<JobState>('GET', `/ai/enhance/${page.url().split('/').at(-1)!}`);
    const mask = `**${new URL(job.operations[0]!.mask!.sourceUrl).pathname}*`;
    await page.route(mask, (route) => route.abort());
    const open = async () => {
      await dialog().getByRole('button', { name: 'Close' }).first().click();
      await dashboard.button('Refine cutout').click();
      await dialog().getByText("The earlier marks couldn't be loaded").waitFor();
    };
    await open();
    expect(await canvas().count()).toBe(0);
    await inspectPage(page, 'refine-missing-marks');
    await dialog().getByRole('button', { name: 'Start without the earlier marks' }).click();
    await canvas().waitFor();
    expect(await marked()).toBe(0);
    await open();
    await page.unroute(mask);
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await canvas().waitFor();
    await expect.poll(marked).toBeGreaterThan(500);
  });

  it('asks before the upload of marks is abandoned, and then creates no job', async () => {
    const { page } = dashboard;
    let created = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/run-again')) created += 1;
    });
    await drag(canvas(), [0.04, 0.3], [0.2, 0.3]);
    const held = await holdRequests(page, '**/ai/upload', 'POST');
    await dialog().getByRole('button', { name: 'Refine' }).click();
    await held.arrived;
    expect(await reloadQuestion(page)).toBe('beforeunload');
    const abandoned = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/ai/upload'));
    await page.evaluate(() => history.back());
    const question = page.getByRole('dialog', { name: 'Discard your marks?' });
    await question.getByRole('button', { name: 'Discard marks' }).click();
    await dialog().waitFor({ state: 'detached' });
    await abandoned;
    held.release();
    await page.unroute('**/ai/upload');
    await page.evaluate(() => history.forward());
    await dashboard.button('Refine cutout').click();
    await canvas().waitFor();
    expect(created).toBe(0);
  });

  it('creates one job, even if the first response is lost', async () => {
    const { page, service } = dashboard;
    const jobs = () =>
      service.database.rows(
        'SELECT j.id FROM jobs j JOIN accounts a ON a.id = j.account_id WHERE a.email = $1',
        [EMAIL],
      );
    const before = (await jobs()).length;
    await loseResponse(page, '**/run-again');
    await drag(canvas(), [0.04, 0.3], [0.2, 0.3]);
    const refine = dialog().getByRole('button', { name: 'Refine' });
    await refine.click();
    await dialog().getByText("Can't reach the service").waitFor();
    // A refusal of the second attempt says nothing about the first.
    await refuseOnce(page, '**/run-again');
    await refine.click();
    await dialog().getByText('Too many requests').waitFor();
    await refine.click();
    await dialog().waitFor({ state: 'detached' });
    expect(await jobs()).toHaveLength(before + 1);
  });
});
