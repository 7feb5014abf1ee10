import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../support/browser/dashboard-browser.js';
import { giveFiles, givenPhoto } from '../../support/browser/given-files.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const RUN_MS = 120_000;
const UPLOAD = '**/ai/upload';
const EMAIL = `playground-faults-${process.pid}@example.com`;

/** A JPEG of one color: small, however many pixels it has. */
async function plain(name: string, width: number, height: number) {
  const image = sharp({
    create: { width, height, channels: 3, background: '#557' },
    limitInputPixels: false,
  });
  return { name, mimeType: 'image/jpeg', buffer: await image.jpeg().toBuffer() };
}

describe('photos that the playground cannot simply send', { timeout: RUN_MS }, () => {
  let dashboard: Dashboard<SharedService>;
  let huge: Awaited<ReturnType<typeof plain>>;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
    huge = await plain('huge.jpg', 12_000, 12_000);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const given = () => dashboard.page.getByLabel('Photo', { exact: true });
  const tooLarge =
    'huge.jpg is too large: 12,000 × 12,000 pixels. The limit is 50 megapixels. Resize it first.';

  it('refuses one with too many pixels before it is shown or sent', async () => {
    const { page } = dashboard;
    await given().setInputFiles(huge);
    await page.getByRole('alert').getByText(tooLarge).waitFor();
    await page.getByText('Drop photos or a folder here').waitFor();
    expect(await page.getByRole('img', { name: 'huge.jpg' }).count()).toBe(0);
  });

  it('paints a large one in the size of the preview', async () => {
    const { page } = dashboard;
    await given().setInputFiles(await plain('large.jpg', 6_000, 4_500));
    const picture = page.locator('canvas[role=img]');
    await picture.waitFor();
    expect(await picture.getAttribute('aria-label')).toBe('large.jpg');
    const size = await picture.evaluate((canvas) => canvas.getBoundingClientRect().toJSON() as DOMRect);
    expect(size.width / size.height).toBeCloseTo(4 / 3, 1);
    await expect.poll(() => dashboard.button('Enhance').isEnabled()).toBe(true);
    await dashboard.button('Choose another photo').click();
  });

  it('renews the estimate, because the queue moves', async () => {
    const { page } = dashboard;
    let asked = 0;
    await page.route('**/ai/enhance', async (route) => {
      const response = await route.fetch();
      asked += 1;
      await route.fulfill({ response, json: { ...(await response.json()), estimatedSeconds: asked * 600 } });
    });
    await given().setInputFiles(await plain('one.jpg', 120, 90));
    await dashboard.button('Estimate time and size').click();
    await page.getByText('Takes about 10 minutes.', { exact: false }).waitFor();
    await page.getByText('Takes about 20 minutes.', { exact: false }).waitFor();
    expect(asked).toBeGreaterThanOrEqual(2);
    await page.unrouteAll();
    await dashboard.button('Choose another photo').click();
  });

  it('lists one of many with too many pixels as failed, and sends only the others', async () => {
    const { page } = dashboard;
    let sent = 0;
    await page.route(UPLOAD, async (route) => {
      sent += 1;
      await route.continue();
    });
    await given().setInputFiles([huge, await plain('two.jpg', 120, 90)]);
    await dashboard.button('Enhance 2 photos').click();
    await page.getByText("1 of 2 photos couldn't be uploaded").waitFor();
    await page.getByRole('region', { name: 'Files' }).getByText(tooLarge).waitFor();
    expect(sent).toBe(1);
    await page.unrouteAll();
    await dashboard.button('Choose other photos').click();
  });

  it('continues to upload after an outage', async () => {
    const { page } = dashboard;
    await page.getByText('Drop photos or a folder here').waitFor();
    // Longer than the attempts of one upload.
    let isDown = true;
    let refused = 0;
    for (const path of [UPLOAD, '**/health/live'])
      await page.route(path, async (route) => {
        if (!isDown) return route.continue();
        if (route.request().method() === 'POST') refused += 1;
        return route.abort('internetdisconnected');
      });
    await giveFiles(page, 'paste', 'body', [await givenPhoto('one.jpg'), await givenPhoto('two.jpg')]);
    await dashboard.button('Enhance 2 photos').click();
    await page.getByText('Connection lost. Retrying…').waitFor();
    // Five attempts of each photo.
    await expect.poll(() => refused, { timeout: RUN_MS }).toBe(10);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    isDown = false;
    await dashboard.heading('2 photos').waitFor({ timeout: RUN_MS });
    await page.unrouteAll();
  });

  it('keeps as many photos as the quota allows', async () => {
    const { page } = dashboard;
    await dashboard.service.database.rows(
      `UPDATE accounts SET limits = '{"enhancements": 4}' WHERE email = $1`,
      [EMAIL],
    );
    await dashboard.open('/playground');
    await page.getByText('Drop photos or a folder here').waitFor();
    const names = ['one.jpg', 'two.jpg', 'three.jpg'];
    await giveFiles(page, 'paste', 'body', await Promise.all(names.map((name) => givenPhoto(name))));
    await dashboard.button('Keep only the first 2 photos').click();
    await expect.poll(() => dashboard.button('Enhance 2 photos').isEnabled()).toBe(true);
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Enhance 2 photos');
    const files = page.getByRole('region', { name: 'Files' }).getByRole('listitem');
    expect(await files.count()).toBe(2);
    await dashboard.button('Choose other photos').click();
  });

  it('causes no errors along the way', () => {
    const unexpected = dashboard.faults.filter((fault) => !fault.includes('Failed to fetch'));
    expect(unexpected).toEqual([]);
  });
});
