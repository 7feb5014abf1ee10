import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM, SANDBOX } from '../../../scripts/lib/browser/headless-browser.mjs';
import { keepingCpuTime } from '../../../scripts/lib/vitest/cpu-time.mjs';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** As long as specs poll. Shorter waits would fail on a busy machine that is merely slow. */
const WAIT_MS = 60_000;

/** Turns off Chromium's own network requests, which a test machine may refuse. */
const QUIET = [
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
];

export interface TestBrowser {
  readonly context: BrowserContext;
  /** The tab that the browser opens by itself. Another one would be another process. */
  readonly page: Page;
  close(): Promise<void>;
}

/** A headless browser with an empty profile. */
export async function openBrowser(
  viewport: { width: number; height: number },
  options: Pick<BrowserContextOptions, 'javaScriptEnabled'> = {},
): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'ies-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    executablePath: CHROMIUM,
    headless: true,
    viewport,
    args: [...QUIET, ...SANDBOX],
  });
  context.setDefaultTimeout(WAIT_MS);
  return {
    context,
    page: context.pages()[0]!,
    close: async () => {
      await keepingCpuTime(() => context.close());
      await rm(profile, { recursive: true, force: true });
    },
  };
}
