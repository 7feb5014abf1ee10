import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { cleanupOnce } from '../cleanup.mjs';
import { ensureSystemPackages } from '../system-packages.mjs';

const NAME = 'chromium-headless-shell';
/**
 * Chromium without a user interface, which takes a quarter less CPU than `chromium --headless`. Not the script in
 * /usr/bin: a signal would end only the script.
 */
export const CHROMIUM = `/usr/lib/chromium/${NAME}`;
/** Chromium's sandbox does not work for root. */
export const SANDBOX = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/**
 * Starts headless Chromium with an empty profile, and installs it first if it is missing. `close` removes the profile,
 * and so does a signal that ends this process.
 * @param {import('playwright-core').BrowserContextOptions} options such as the viewport
 */
export async function openHeadlessBrowser(options) {
  ensureSystemPackages([{ binary: NAME, package: NAME }]);
  const profile = await mkdtemp(join(tmpdir(), 'ies-browser-'));
  let context;
  const close = cleanupOnce(async () => {
    await context?.close();
    await rm(profile, { recursive: true, force: true });
  });
  try {
    context = await chromium.launchPersistentContext(profile, {
      ...options,
      executablePath: CHROMIUM,
      args: ['--disable-gpu', ...SANDBOX],
      // Playwright would end this process before its cleanup has ended.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return { context, close };
  } catch (error) {
    await close();
    throw error;
  }
}
