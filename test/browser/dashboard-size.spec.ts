import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { withFileLock } from '../../src/infra/processes/file-lock.mjs';
import { NODE_MODULES } from '../../scripts/lib/paths.mjs';
import { ensureWebBuild, WEB_OUTPUT } from '../../scripts/lib/web-build.mjs';
import { firstLoad, pages } from '../../scripts/lib/web-size.mjs';

/** The limit is 300 kB of compressed JavaScript before a page appears. */
const LIMIT_BYTES = 300_000;
/** Each file costs one request. */
const LIMIT_FILES = 30;

describe('the built dashboard', () => {
  beforeAll(async () => {
    const say = (text: string) => void process.stderr.write(`${text}\n`);
    await withFileLock(join(NODE_MODULES, '.setup.lock'), say, () => ensureWebBuild(say));
  });

  it('loads less than 300 kB of JavaScript before any page', () => {
    const found = pages();
    expect(found.length).toBeGreaterThanOrEqual(9);
    const tooLarge = found
      .map((page) => ({ page, gzipBytes: firstLoad(page).gzipBytes }))
      .filter(({ gzipBytes }) => gzipBytes >= LIMIT_BYTES);
    expect(tooLarge).toEqual([]);
  });

  it('loads few files before any page', () => {
    const counts = pages().map((page) => ({ page, files: firstLoad(page).files.length }));
    expect(counts.filter(({ files }) => files > LIMIT_FILES)).toEqual([]);
  });

  it('loads charts and model cards only when they are opened', () => {
    for (const page of pages()) {
      const { files } = firstLoad(page);
      expect(files.filter((file) => /(?:day|storage)-chart|markdown/i.test(file))).toEqual([]);
    }
  });

  it('has no inline script and loads nothing from other hosts', async () => {
    const html = await readFile(join(WEB_OUTPUT, 'index.html'), 'utf8');
    const scripts = [...html.matchAll(/<script\b[^>]*>([^<]*)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.map(([, text]) => text?.trim())).toEqual(scripts.map(() => ''));
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !address?.startsWith('/'))).toEqual([]);
  });
});
