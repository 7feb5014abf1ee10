import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { WEB_OUTPUT } from './web-build.mjs';

/**
 * The JavaScript that a browser loads before a page of the dashboard is shown: the entry, the page, and all static
 * imports of both.
 * @param {string} page source of the page, relative to web/, for example `src/pages/jobs/jobs-page.tsx`
 * @returns {{ files: readonly string[], gzipBytes: number }}
 */
export function firstLoad(page) {
  const manifest = JSON.parse(readFileSync(join(WEB_OUTPUT, '.vite', 'manifest.json'), 'utf8'));
  const files = new Set();
  const follow = (key) => {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The dashboard has no part ${key}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) follow(imported);
  };
  follow('index.html');
  follow('src/app/start.tsx');
  follow(page);
  const scripts = [...files].map((file) => join(WEB_OUTPUT, file)).concat(join(WEB_OUTPUT, 'theme.js'));
  const present = scripts.filter((path) => existsSync(path));
  const gzipBytes = present.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);
  return { files: [...files], gzipBytes };
}

/** Sources of every page, relative to web/. */
export function pages() {
  const manifest = JSON.parse(readFileSync(join(WEB_OUTPUT, '.vite', 'manifest.json'), 'utf8'));
  return Object.keys(manifest).filter((key) => /^src\/pages\/.*-page\.tsx$/.test(key));
}
