import { openStage } from '../bench/stage.mjs';
import { openHeadlessBrowser } from '../lib/browser/headless-browser.mjs';

const VIEWPORT = { width: 1280, height: 800 };
/** Pixels of the picture for each CSS pixel. */
const SCALE = 2;
/** Enough for a worker that has just started. */
const WAIT_MS = 120_000;
/** Fonts and fades have settled. */
const SETTLED_MS = 2_000;
const CREDENTIALS = { email: 'ada@example.com', password: 'correct horse battery staple' };

/**
 * A screenshot of the playground with a photo and its result, on a service that is started for it.
 * @param {{ name: string, bytes: Buffer }} photo
 * @param {string} operation as the playground calls it, such as `Auto enhance`
 * @returns {Promise<Buffer>} a PNG
 */
export async function dashboardPicture(photo, operation) {
  const stage = await openStage();
  let browser;
  try {
    await stage.startWorker({});
    browser = await openHeadlessBrowser({
      viewport: VIEWPORT,
      deviceScaleFactor: SCALE,
      reducedMotion: 'reduce',
    });
    browser.context.setDefaultTimeout(WAIT_MS);
    const page = await browser.context.newPage();
    return await takePicture(page, `http://127.0.0.1:${stage.api.port}`, photo, operation);
  } finally {
    await browser?.close();
    await stage.close();
  }
}

async function takePicture(page, base, { name, bytes }, operation) {
  await page.goto(`${base}/sign-up`);
  await page.getByLabel('Email address').fill(CREDENTIALS.email);
  await page.getByLabel('Password', { exact: true }).fill(CREDENTIALS.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles({ name, mimeType: 'image/png', buffer: bytes });
  await page.getByRole('radio', { name: new RegExp(`^${operation}`) }).check();
  await page.getByRole('button', { name: 'Enhance', exact: true }).click();
  await page.getByAltText(/^After: /).waitFor();
  await page.getByText(/^Done in /).waitFor();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(SETTLED_MS);
  return page.screenshot();
}
