import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { barriersOf } from './barriers.js';

const PHONE = { width: 390, height: 844 };
/** Pictures for people to look at. Nothing compares them. */
const PICTURES = join(ROOT, 'out', 'dashboard');

/** Waits for fonts, and until no animation with an end has run for three frames. Half-faded text would count as pale. */
const SETTLED = `(async () => {
  await document.fonts.ready;
  for (let calm = 0; calm < 3; calm += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const running = document.getAnimations().filter(({ playState, effect }) =>
      playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime));
    if (running.length === 0) continue;
    await Promise.allSettled(running.map(({ finished }) => finished));
    calm = -1;
  }
})()`;

/**
 * Checks the page with axe-core in both themes and on a phone, where it must not scroll sideways, and takes pictures.
 * @param name of the pictures: `<name>-light.png`, `<name>-dark.png` and `<name>-phone.png`
 */
export async function inspectPage(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  const look = async (variant: string): Promise<void> => {
    await page.evaluate(SETTLED);
    await page.screenshot({ path: join(PICTURES, `${name}-${variant}.png`), fullPage: true });
    expect(await barriersOf(page), `${name} ${variant}`).toEqual([]);
  };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await look(colorScheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const desktop = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  await look('phone');
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow, `${name} on a phone scrolls sideways`).toBeLessThanOrEqual(0);
  await page.setViewportSize(desktop);
}
