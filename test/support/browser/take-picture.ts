import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../../../scripts/lib/paths.mjs';

const FOLDER = join(ROOT, 'out', 'dashboard');

/**
 * With `SCREENSHOTS=1`, writes a picture of the page to out/dashboard, for people to look at. Nothing compares it.
 * @param name of the file, without `.png`
 */
export async function takePicture(
  page: Page,
  name: string,
  options: { fullPage?: boolean } = {},
): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return;
  await page.screenshot({ path: join(FOLDER, `${name}.png`), ...options });
}
