import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WEB_PAGES } from './web-pages.controller.js';

const APP = join(import.meta.dirname, '../../../web/src/app');

/** Paths of the pages in a source file of the dashboard's router. */
function pathsIn(file: string): readonly string[] {
  const source = readFileSync(join(APP, file), 'utf8');
  return [...source.matchAll(/page\(\s*'([^']*)'/g)].map(([, path]) => path!);
}

describe('WEB_PAGES', () => {
  const own = pathsIn('router.tsx').filter((path) => path !== '*');
  const operator = pathsIn('operator-route.ts').map((path) =>
    path.startsWith('/') ? path : `/operator/${path}`.replace(/\/$/, ''),
  );

  it.each([...own, ...new Set(operator)])('contains %s of the dashboard', (path) => {
    const [required = ''] = path.split(/\/:\w+\?/);
    expect(WEB_PAGES).toContain(required.slice(1));
    if (required !== path)
      expect(WEB_PAGES.some((page) => page.startsWith(`${required.slice(1)}/`))).toBe(true);
  });

  it('contains nothing else', () => {
    const known = [...own, ...operator].map((path) => path.slice(1));
    const isKnown = (page: string): boolean =>
      known.some((path) =>
        page.endsWith('/*')
          ? path.startsWith(page.slice(0, -1))
          : [path, path.replaceAll('?', ''), path.split('/:')[0]].includes(page),
      );
    expect(WEB_PAGES.filter((page) => page !== '/' && !isKnown(page))).toEqual([]);
  });
});
