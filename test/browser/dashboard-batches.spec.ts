import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { giveFiles, givenPhoto } from '../support/browser/given-files.js';
import { holdRequests } from '../support/browser/hold-requests.js';
import { loseResponse, refuseOnce } from '../support/browser/lost-response.js';
import { reloadQuestion } from '../support/browser/reload-question.js';
import { inspectPage } from '../support/browser/inspect-page.js';
import { photo } from '../support/images/images.js';
import { rottenPng } from '../support/images/flow-drawn.js';
import type { SharedService } from '../support/roles/shared-service.js';

const RUN_MS = 120_000;
const CREATE = '**/dashboard/api/ai/batches';
const EMAIL = `batches-${process.pid}@example.com`;

describe('batches of photos in the dashboard', { timeout: RUN_MS }, () => {
  let dashboard: Dashboard<SharedService>;

  let folder: string;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    folder = join(await mkdtemp(join(tmpdir(), 'ies-folder-')), 'Summer');
    await mkdir(join(folder, 'evening'), { recursive: true });
    await writeFile(join(folder, 'lake.jpg'), await photo(120, 90, 'jpeg'));
    await writeFile(join(folder, 'evening', 'fire.jpg'), await photo(90, 120, 'jpeg'));
    await writeFile(join(folder, '.DS_Store'), 'litter');
  });
  afterAll(async () => {
    await dashboard?.close();
    await rm(dirname(folder), { recursive: true, force: true });
  });

  const look = (name: string) => inspectPage(dashboard.page, name);

  it('accepts dropped files, rejects other types, and shows the cost', async () => {
    const { page } = dashboard;
    const disguised = Buffer.from('MZ, by no means an image').toString('base64');
    await giveFiles(page, 'drop', '[data-photo-drop]', [
      await givenPhoto('beach.jpg', 120, 90),
      { name: 'notes.txt', type: 'text/plain', base64: 'aGk=' },
      { name: 'virus.jpg', type: 'image/jpeg', base64: disguised },
      { name: 'rotten.png', type: 'image/png', base64: rottenPng().toString('base64') },
      await givenPhoto('forest.jpg', 90, 120),
    ]);
    await page.getByText("1 of the files can't be enhanced", { exact: true }).waitFor();
    await page.getByText('notes.txt is not a JPEG', { exact: false }).waitFor();
    await page.getByText('Uses 4 of 50 enhancements left this month').waitFor();
    expect(await dashboard.button('Enhance 4 photos').isEnabled()).toBe(true);
    await look('many');
  });

  it('uploads photos, reports the invalid one, and creates a batch of the others', async () => {
    const { page } = dashboard;
    await dashboard.button('Enhance 4 photos').click();
    await page.getByText("1 of 4 photos couldn't be uploaded").waitFor();
    const files = page.getByRole('region', { name: 'Files' }).getByRole('listitem');
    expect(await files.nth(1).textContent()).toMatch(/^virus\.jpg.*Failed./);
    await look('many-stopped');
    const form = page.getByRole('form', { name: 'Enhancement' });
    const retry = async () => {
      await dashboard.button('Enhance 4 photos').click();
      await dashboard.button('Enhance the other 3').click();
    };
    // The batch is created, but neither the lost response nor the refusal of the second attempt says so.
    await loseResponse(page, CREATE);
    await dashboard.button('Enhance the other 3').click();
    await form.getByText("Can't reach the service").waitFor();
    await refuseOnce(page, CREATE);
    await retry();
    await form.getByText('Too many requests').waitFor();
    await retry();
    await page.waitForURL(/\/batches\/bat_/);
    await dashboard.heading('3 photos').waitFor();
  });

  it('follows the batch, and reports what failed and why', async () => {
    const { page } = dashboard;
    await page.getByText('2 completed, 1 failed', { exact: true }).waitFor({ timeout: RUN_MS });
    await page.getByRole('heading', { name: '1 photo failed' }).waitFor();
    await page.getByRole('link', { name: 'rotten.png', exact: true }).waitFor();
    const items = page.getByRole('list', { name: 'Photos of the batch' }).getByRole('listitem');
    await expect
      .poll(() => items.allTextContents())
      .toEqual(['beach.jpgCompleted', 'rotten.pngFailed', 'forest.jpgCompleted']);
    await look('batch');
  });

  it('says when its photos cannot be read, and continues on request', async () => {
    const { page } = dashboard;
    const isItems = ({ pathname }: URL) => /\/ai\/batches\/bat_[0-9a-f]+\/jobs$/.test(pathname);
    let isDown = true;
    await page.route(isItems, async (route) => {
      const { searchParams } = new URL(route.request().url());
      const isFurther = searchParams.has('cursor');
      if (isDown && (isFurther || searchParams.has('status'))) return route.fulfill({ status: 503 });
      if (isFurther) return route.fulfill({ json: { data: [], hasMore: false, nextCursor: null } });
      if (searchParams.has('status')) return route.continue();
      // As if there were more photos than the first page has.
      const response = await route.fetch();
      const json = { ...(await response.json()), hasMore: true, nextCursor: 'more' };
      return route.fulfill({ response, json });
    });
    // Without events, because the page would repeat by itself what has failed after one.
    await page.route('**/dashboard/api/events', () => undefined);
    await page.reload();
    const failures = page.getByRole('region', { name: '1 photo failed' });
    const photos = page.getByRole('region', { name: 'Photos', exact: true });
    await failures.getByRole('alert').waitFor();
    await photos.getByRole('button', { name: 'Load more' }).click();
    await photos.getByRole('alert').waitFor();
    expect(await photos.getByRole('listitem').count()).toBe(3);
    isDown = false;
    await failures.getByRole('button', { name: 'Try again' }).click();
    await failures.getByRole('link', { name: 'rotten.png' }).waitFor();
    await photos.getByRole('button', { name: 'Try again' }).click();
    await photos.getByRole('alert').waitFor({ state: 'detached' });
    await expect.poll(() => photos.getByRole('button').count()).toBe(0);
    expect(await photos.getByRole('listitem').count()).toBe(3);
    await page.unrouteAll();
    await page.reload();
    await photos.waitFor();
    dashboard.faults.length = 0;
  });

  it('gives the reasons in the language of the page', async () => {
    const { page } = dashboard;
    const failures = page.getByRole('region', { name: '1 Foto fehlgeschlagen' });
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await expect.poll(() => failures.textContent()).toContain('Diese Datei ist kein gültiges Bild');
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
    await page.getByRole('heading', { name: '1 photo failed' }).waitFor();
  });

  it('offers a batch as a ZIP, and retries its failed photos', async () => {
    const { page } = dashboard;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download ZIP' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^bat_\w+\.zip$/);
    const zip = await readFile(await download.path());
    expect(zip.includes('0000-beach-enhanced.jpg')).toBe(true);
    expect(zip.includes('0002-forest-enhanced.jpg')).toBe(true);
    await dashboard.button('Retry failed').click();
    await expect
      .poll(
        () =>
          dashboard.service.database.rows(
            'SELECT status FROM jobs j JOIN accounts a ON a.id = j.account_id WHERE a.email = $1',
            [EMAIL],
          ),
        { timeout: RUN_MS },
      )
      .toHaveLength(4);
    await page.getByText('2 completed, 1 failed', { exact: true }).waitFor({ timeout: RUN_MS });
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  });

  it('lists batches, and marks their jobs', async () => {
    const { page } = dashboard;
    await dashboard.go('Batches');
    const rows = page.getByRole('list', { name: 'Batches' }).getByRole('link');
    await expect.poll(() => rows.count()).toBe(1);
    await expect
      .poll(() => rows.first().textContent())
      .toContain('3 photosAuto enhance, medium2 completed, 1 failed1 failed');
    await look('batches-busy');
    await dashboard.go('Jobs');
    const job = page.getByRole('list', { name: 'Jobs' }).getByRole('link').filter({ hasText: 'beach.jpg' });
    await expect.poll(() => job.textContent()).toContain('medium · beach.jpg · in a batch');
    await job.click();
    await page.getByRole('dialog').getByRole('link', { name: 'Photo 1 of a batch' }).click();
    await dashboard.heading('3 photos').waitFor();
    await page.getByRole('link', { name: /^beach\.jpg/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await dashboard.heading('3 photos').waitFor();
  });

  it('accepts a dropped folder with its subfolders', async () => {
    const { page } = dashboard;
    await dashboard.open('/playground');
    await page.getByText('Drop photos or a folder here').waitFor();
    const devtools = await page.context().newCDPSession(page);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x: 640, y: 110, data });
    await devtools.detach();
    await page.getByText('Summer:').waitFor();
    await dashboard.button('Enhance 2 photos').waitFor();
    const files = page.getByRole('region', { name: 'Files' }).getByRole('listitem');
    const names = (await files.allTextContents()).map((text) => text.slice(0, 8));
    expect(names).toEqual(['fire.jpg', 'lake.jpg']);
    await dashboard.button('Choose other photos').click();
  });

  it('asks before leaving an upload, and names the batch after the folder', async () => {
    const { page } = dashboard;
    await page.getByLabel('Folder', { exact: true }).setInputFiles(folder);
    await page.getByText('Summer:').waitFor();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/ai/upload', async (route) => {
      await held;
      await route.continue();
    });
    // The second click is on the button Cancel, which has taken the place of the first.
    await dashboard.button('Enhance 2 photos').dblclick();
    await page.getByText('Uploaded 0 of 2 photos').waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop uploading?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole('link', { name: 'Usage' }).click();
    await dialog.waitFor();
    // The batch is created while the question is open, which has then no answer.
    release();
    await dashboard.heading('Summer').waitFor({ timeout: RUN_MS });
    await page.getByText('2 completed', { exact: true }).waitFor({ timeout: RUN_MS });
    await page.unroute('**/ai/upload');
  });

  it('shows the error of one batch on no other', async () => {
    const { page } = dashboard;
    const batches = page.getByRole('list', { name: 'Batches' });
    await dashboard.go('Batches');
    await batches.getByRole('link', { name: 'Summer' }).click();
    await dashboard.heading('Summer').waitFor();
    await page.getByRole('link', { name: 'All batches' }).click();
    await batches.getByRole('link', { name: '3 photos' }).click();
    await page.route('**/ai/batches/*/retry', (route) => route.abort(), { times: 1 });
    await dashboard.button('Retry failed').click();
    const fault = page.getByRole('alert').getByText("Can't reach the service");
    await fault.waitFor();
    await page.evaluate(() => history.go(-2));
    await dashboard.heading('Summer').waitFor();
    expect(await fault.count()).toBe(0);
  });

  it.each([
    ['has been created', 'The batch was created', 'continue'],
    ['could not be created', "The batch couldn't be created", 'refuse'],
  ] as const)('stays on the next page, and says there that the batch %s', async (_, text, outcome) => {
    const { page } = dashboard;
    await dashboard.open('/playground');
    await page.getByLabel('Folder', { exact: true }).setInputFiles(folder);
    await page.getByText('Summer:').waitFor();
    if (outcome === 'refuse') await refuseOnce(page, CREATE);
    const held = await holdRequests(page, CREATE, 'POST');
    await dashboard.button('Enhance 2 photos').click();
    await held.arrived;
    // Opening another page goes on with the request, but a reload would end it.
    expect(await reloadQuestion(page)).toBe('beforeunload');
    await page.getByRole('link', { name: 'Usage' }).click();
    await dashboard.heading('Usage').waitFor();
    held.release();
    await page.getByRole('alert').filter({ hasText: text }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/usage');
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  });

  it('refuses a batch that exceeds the quota before sending anything', async () => {
    const { page } = dashboard;
    await dashboard.service.database.rows(
      `UPDATE accounts SET limits = '{"enhancements": 7}' WHERE email = $1`,
      [EMAIL],
    );
    await dashboard.open('/playground');
    await page.getByText('Drop photos or a folder here').waitFor();
    await giveFiles(page, 'paste', 'body', [await givenPhoto('one.jpg'), await givenPhoto('two.jpg')]);
    await page
      .getByText('2 photos take 2 enhancements. You have 1 left this month.', { exact: false })
      .waitFor();
    await page.getByText('That is enough for 1 of the photos.', { exact: false }).waitFor();
    expect(await dashboard.button('Enhance 2 photos').isDisabled()).toBe(true);
    await dashboard.button('Choose other photos').click();
    await page.getByText('Drop photos or a folder here').waitFor();
  });

  it('causes no errors along the way', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
