import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DOCUMENTS } from '../../scripts/images/assemble.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { SITE_FILES, SITE_PAGES } from '../../src/app/site/site-catalog.js';

const files = [
  ...SITE_PAGES.map(({ file }) => file),
  ...Object.values(SITE_FILES).map(({ file }) => file),
].filter((file) => file !== undefined);

it('every user document is a page of the site (src/app/site/site-catalog.ts)', () => {
  const documents = readdirSync(join(ROOT, 'docs')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  expect(documents.filter((name) => !files.includes(`docs/${name}`))).toEqual([]);
});

it('every file of the site exists and is copied into the images', () => {
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const copied = ['docs', ...DOCUMENTS];
  expect(
    files.filter((file) => !copied.some((path) => file === path || file.startsWith(`${path}/`))),
  ).toEqual([]);
});
