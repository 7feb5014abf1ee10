import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { barriersOf, colorBarriersOf } from './barriers.js';
import { takePicture } from './take-picture.js';

const PHONE = { width: 390, height: 844 };

/** How long a page may take to settle. */
const REST_MS = 10_000;

/**
 * A script that waits until the fonts are loaded and no finite animation has run for three frames, since
 * half-faded text would count as pale. It polls: the `finished` promise of a replaced animation may never settle.
 * Returns the animations that still run after {@link REST_MS}.
 */
const SETTLED = `(async () => {
  await document.fonts.ready;
  const running = () => document.getAnimations().filter(({ playState, effect }) =>
    playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime));
  const end = performance.now() + ${REST_MS};
  for (let calm = 0; calm < 3 && performance.now() < end; ) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    calm = running().length === 0 ? calm + 1 : 0;
  }
  return running().map(({ animationName, transitionProperty, effect, currentTime }) =>
    [animationName ?? transitionProperty, effect.target?.className, currentTime, effect.getComputedTiming().endTime].join(' '));
})()`;

/** Waits until the page has settled. @returns the animations that do not end */
export function stillMoving(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SETTLED);
}

/**
 * Checks the page with axe-core in both themes and on a phone, where it must not scroll sideways. May take pictures, see
 * `takePicture`.
 * @param name of the pictures: `<name>-light.png`, `<name>-dark.png` and `<name>-phone.png`
 */
export async function inspectPage(page: Page, name: string): Promise<void> {
  const look = async (variant: string, barriers = barriersOf): Promise<void> => {
    expect(await stillMoving(page), `${name} ${variant} still moves`).toEqual([]);
    await takePicture(page, `${name}-${variant}`, { fullPage: true });
    expect(await barriers(page), `${name} ${variant}`).toEqual([]);
  };
  await page.emulateMedia({ colorScheme: 'light' });
  await look('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('dark', colorBarriersOf);
  await page.emulateMedia({ colorScheme: 'light' });
  const desktop = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  await look('phone');
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow, `${name} on a phone scrolls sideways`).toBeLessThanOrEqual(0);
  await page.setViewportSize(desktop);
}
