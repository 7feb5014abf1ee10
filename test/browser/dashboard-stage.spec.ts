import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOf } from '../support/browser/barriers.js';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { type GivenFile, giveFiles, givenPhoto } from '../support/browser/given-files.js';
import { animatedWebp } from '../support/images/images.js';
import type { SharedService } from '../support/roles/shared-service.js';
import { takePicture } from '../support/browser/take-picture.js';

const EMAIL = `stage-${process.pid}@example.com`;
const RUN_MS = 120_000;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
describe('the photo and its result in the playground', { timeout: RUN_MS }, () => {
  let dashboard: Dashboard<SharedService>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const given = givenPhoto;
  const give = (kind: 'drop' | 'paste', selector: string, files: readonly GivenFile[]) =>
    giveFiles(dashboard.page, kind, selector, files);
  const named = (name: string) => dashboard.page.getByAltText(name, { exact: true });
  const choose = async (file: GivenFile) =>
    dashboard.page.getByLabel('Photo', { exact: true }).setInputFiles({
      name: file.name,
      mimeType: file.type,
      buffer: Buffer.from(file.base64, 'base64'),
    });
  const zoomLevel = () => dashboard.page.getByLabel('Zoom level').textContent();
  const picture = () => dashboard.page.getByRole('group', { name: /^Image/ });
  const after = () => dashboard.page.getByAltText(/^After: /);
  const look = async (name: string) => {
    // Waits until fonts and fades have settled.
    await dashboard.page.waitForTimeout(400);
    await takePicture(dashboard.page, name);
  };

  it('uses the photo among two dropped files and says which one', async () => {
    const { page } = dashboard;
    const notes = { name: 'notes.txt', type: 'text/plain', base64: 'aGk=' };
    await give('drop', '[data-photo-drop]', [notes, await given('first.jpg')]);
    await named('first.jpg').waitFor();
    await page.getByText('You added 2 files. Using first.jpg.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('replaces the photo with one dropped or pasted anywhere on the page', async () => {
    const { page } = dashboard;
    expect(await give('drop', 'main', [await given('dropped.jpg')])).toBe(true);
    await named('dropped.jpg').waitFor();
    expect(await page.getByText('You added 2 files').count()).toBe(0);
    await give('paste', 'body', [await given('pasted.jpg')]);
    await named('pasted.jpg').waitFor();
    await give('drop', 'main', [{ name: 'notes.txt', type: 'text/plain', base64: 'aGk=' }]);
    await page.getByRole('alert').getByText('notes.txt is not a JPEG', { exact: false }).waitFor();
    expect(await named('pasted.jpg').isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/playground');
  });

  it('rejects a disguised file and keeps Enhance disabled', async () => {
    const { page } = dashboard;
    const disguised = Buffer.from('MZ, by no means an image').toString('base64');
    await give('drop', 'main', [{ name: 'virus.jpg', type: 'image/jpeg', base64: disguised }]);
    await page
      .getByRole('alert')
      .getByText("virus.jpg can't be read as an image", { exact: false })
      .waitFor();
    expect(await dashboard.button('Choose a photo first').isDisabled()).toBe(true);
    await look('stage-disguised');
    expect(await barriersOf(page)).toEqual([]);
  });

  it('offers no retry for a photo that the service refuses', async () => {
    const { page } = dashboard;
    const alert = page.getByRole('alert');
    const animation = (await animatedWebp()).toString('base64');
    await give('drop', 'main', [{ name: 'wave.webp', type: 'image/webp', base64: animation }]);
    await named('wave.webp').waitFor();
    await dashboard.button('Enhance').click();
    await alert.getByText('Animated images are not supported').waitFor();
    expect(await alert.getByRole('button').count()).toBe(0);
    await dashboard.button('Choose another photo').click();
  });

  it('shows the cost of an enhancement before it runs', async () => {
    const { page } = dashboard;
    await choose(await given('Zoë am Strand.jpg'));
    await page.getByText('Uses 1 of 50 enhancements left this month').waitFor();
    await page.getByRole('radio', { name: /^Upscale/ }).check();
    await dashboard.button('Enhance').click();
    await page.getByText(/^Done in /).waitFor({ timeout: RUN_MS });
    await page.getByText('Uses 1 of 49 enhancements left this month').waitFor();
    await page.getByText('You already have this result').waitFor();
    await page.getByRole('radio', { name: /^Auto enhance/ }).check();
    await expect.poll(() => page.getByText('You already have this result').count()).toBe(0);
    // The page still shows the operation that made the result.
    await page.getByText('Upscale, medium', { exact: true }).waitFor();
    await look('stage-result');
    expect(await barriersOf(page)).toEqual([]);
  });

  it('saves the result under the name of the photo', async () => {
    const { page } = dashboard;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^Zoë am Strand-upscaled\.\w+$/);
    expect((await readFile(await download.path())).length).toBeGreaterThan(1_000);
  });

  it('zooms with buttons, keys and the wheel, from the whole picture to 800%', async () => {
    const { page } = dashboard;
    const fitting = (await after().boundingBox())!.width;
    // A small result fills the frame, which is not 100%.
    expect(fitting).toBeGreaterThan(480);
    await page.getByText('100%', { exact: true }).first().click();
    await expect.poll(async () => (await after().boundingBox())?.width).toBe(480);
    await dashboard.button('Zoom in').click();
    await expect.poll(zoomLevel).toBe('200%');
    await picture().focus();
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await expect.poll(zoomLevel).toBe('800%');
    expect(await dashboard.button('Zoom in').isDisabled()).toBe(true);
    await look('stage-zoomed');
    await page.keyboard.press('-');
    await expect.poll(zoomLevel).toBe('400%');
    await page.keyboard.press('0');
    await expect.poll(async () => (await after().boundingBox())?.width).toBe(fitting);

    const frame = (await picture().boundingBox())!;
    await page.mouse.move(frame.x + frame.width / 2, frame.y + frame.height / 2);
    await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await after().boundingBox())!.width).toBeGreaterThan(fitting);
    await page.mouse.wheel(0, 4_000);
    await expect.poll(zoomLevel).toBe('100%');
  });

  it('keeps the divider inside the picture', async () => {
    const { page } = dashboard;
    await expect.poll(zoomLevel).toBe('100%');
    const divider = page.getByRole('slider', { name: 'Divider between before and after' });
    const box = (await after().boundingBox())!;
    const middle = async () => {
      const { x, width } = (await divider.boundingBox())!;
      return Math.round(x + width / 2);
    };
    await divider.press('Home');
    await expect.poll(middle).toBe(Math.round(box.x));
    await divider.press('End');
    await expect.poll(middle).toBe(Math.round(box.x + box.width));
    await divider.press('0');
  });

  it('restores the photo and its result after a reload and from another page', async () => {
    const { page } = dashboard;
    await page.reload();
    await page.getByText('Upscale, medium', { exact: true }).waitFor();
    // The settings for the next run are restored, too.
    expect(await page.getByRole('radio', { name: /^Auto enhance/ }).isChecked()).toBe(true);
    await dashboard.go('Jobs');
    await dashboard.go('Playground');
    await page.getByText('Upscale, medium', { exact: true }).waitFor();
    // The photo is stored and need not be sent again.
    await page.getByRole('radio', { name: /^Auto enhance/ }).check();
    await dashboard.button('Enhance').click();
    await page.getByText('Auto enhance, medium', { exact: true }).waitFor({ timeout: RUN_MS });
    expect(
      await dashboard.service.database.rows(
        'SELECT s.name FROM sources s JOIN accounts a ON a.id = s.account_id WHERE a.email = $1',
        [EMAIL],
      ),
    ).toEqual([{ name: 'Zoë am Strand.jpg' }]);
  });

  it('follows a running job after a reload', async () => {
    const { page } = dashboard;
    await dashboard.button('Choose another photo').click();
    await choose(await given('large.jpg', 800, 600));
    await page.getByRole('radio', { name: /^Upscale/ }).check();
    await dashboard.button('Enhance').click();
    await page.getByText(/^Waiting in the queue$|^Enhancing$/).waitFor();
    await page.reload();
    await page
      .getByText(/^Done in /)
      .or(page.getByText('Upscale, medium', { exact: true }))
      .first()
      .waitFor({
        timeout: RUN_MS,
      });
    await page.getByAltText(/^After: large\.jpg/).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('scrolls to the result on a phone', async () => {
    const { page } = dashboard;
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await dashboard.button('Choose another photo').click();
    await choose(await given('phone.jpg'));
    await page.getByRole('radio', { name: /^Auto enhance/ }).check();
    const enhance = dashboard.button('Enhance');
    await enhance.scrollIntoViewIfNeeded();
    await enhance.click();
    await page.getByAltText(/^After: phone\.jpg/).waitFor({ timeout: RUN_MS });
    await expect
      .poll(async () => {
        const { y } = (await picture().boundingBox())!;
        return y >= 0 && y < PHONE.height / 2;
      })
      .toBe(true);
    await look('stage-phone');
    expect(await barriersOf(page)).toEqual([]);
    await page.setViewportSize(DESKTOP);
  });

  it('shows photos and jobs with their file names', async () => {
    const { page } = dashboard;
    await dashboard.go('Photos');
    await page.getByRole('article', { name: 'Zoë am Strand.jpg' }).waitFor();
    await look('photos-named');
    expect(await barriersOf(page)).toEqual([]);
    await dashboard.go('Jobs');
    await page.getByText('medium · phone.jpg').waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await look('jobs-named-dark');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('disables Enhance when the quota is used up, before sending anything', async () => {
    const { page, service } = dashboard;
    await service.database.rows(`UPDATE accounts SET limits = '{"enhancements": 2}' WHERE email = $1`, [
      EMAIL,
    ]);
    await dashboard.open('/playground');
    await page.getByText("You've used all 2 enhancements for this month.", { exact: false }).waitFor();
    expect(await dashboard.button('Enhance').isDisabled()).toBe(true);
    await look('stage-no-quota');
    expect(await barriersOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await look('stage-no-quota-dark');
  });

  it('causes no errors along the way', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
