import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const MAX_FILES_IN_FOLDER = 25;
const MAX_LINES = 300;

/** Folders that may hold more files, with the reason. */
const LONG_LISTS: Readonly<Record<string, string>> = {
  docs: 'a page for each question, listed in docs/README.md',
  'docs/decisions': 'a list by number',
  'src/infra/database/migrations': 'a list by time, which is the order in which they run',
};

/** Folders and files whose length does not matter, with the reason. */
const NOT_WRITTEN: Readonly<Record<string, string>> = {
  models: 'weights',
  'test/golden': 'pictures',
  'web/src/api/schema.ts': 'generated',
  'web/src/api/operator/schema.ts': 'generated',
  'clients/js/src/generated': 'generated',
  'clients/python/src/image_enhancement/_models': 'generated',
};

/** Files that may be longer, with the reason. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'test/browser/dashboard-story.spec.ts': 'one story, whose every step needs the one before it',
};

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '');
const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const written = tracked.filter((path) => !Object.keys(NOT_WRITTEN).some((folder) => isBelow(path, folder)));

function longFolders(): string[] {
  const counts = new Map<string, number>();
  for (const path of written) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES_IN_FOLDER).map(([folder]) => folder);
}

function longFiles(): string[] {
  return written
    .filter((path) => /\.(?:[cm]?[jt]sx?|py|sh)$/.test(path))
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').trimEnd().split('\n').length > MAX_LINES);
}

it('a folder has at most 25 files, so that its listing explains it', () => {
  expect(longFolders().toSorted()).toEqual(Object.keys(LONG_LISTS).toSorted());
});

it('a source file has at most 300 lines', () => {
  expect(longFiles().toSorted()).toEqual(Object.keys(LONG_FILES).toSorted());
});
