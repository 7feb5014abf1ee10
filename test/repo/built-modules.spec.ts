import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtModulesOf, namedIn } from '../support/source/built-modules.js';

const ROOT = join(import.meta.dirname, '..', '..');
const DIST = join(ROOT, 'dist');

/** Whether a compiled module exports a name. */
function exportsName(path: string, name: string): boolean {
  const text = readFileSync(join(DIST, path), 'utf8');
  return new RegExp(
    String.raw`^export (?:(?:async )?function\*?|class|const|let) ${name}\b|^export \{[^}]*\b${name}\b`,
    'm',
  ).test(text);
}

describe('modules in dist that scripts refer to', () => {
  const named = ['scripts', 'test/support'].flatMap((folder) => builtModulesOf(ROOT, folder));

  it('are found, however they are referred to', () => {
    const script = [
      `import { First, Second as Other } from '../../dist/a/first.js';`,
      `const { third } = await built(\n  'b/third.js',\n);`,
      `fork(join(DIST, 'main.fourth.js'), []);`,
      `import(pathToFileURL(join(DIST, 'c', 'fifth.js')).href);`,
      `import(pathToFileURL(join(DIST, 'c/sixth.js')).href);`,
      `await runBuilt('main.seventh', folder);`,
    ].join('\n');
    const found = namedIn('script', script).map(({ path, names }) => [path, names].flat());
    expect(found.toSorted(([one = ''], [other = '']) => one.localeCompare(other))).toEqual([
      ['a/first.js', 'First', 'Second'],
      ['b/third.js', 'third'],
      ['c/fifth.js'],
      ['c/sixth.js'],
      ['main.fourth.js'],
      ['main.seventh.js'],
    ]);
  });

  it('exist after a build', () => {
    expect(named.length).toBeGreaterThan(50);
    const missing = named.filter(({ path }) => !existsSync(join(DIST, path)));
    expect(missing).toEqual([]);
  });

  it('export the names that scripts import', () => {
    const lacking = named
      .filter(({ path }) => existsSync(join(DIST, path)))
      .flatMap(({ script, path, names }) =>
        names.filter((name) => !exportsName(path, name)).map((name) => ({ script, path, name })),
      );
    expect(named.flatMap(({ names }) => names).length).toBeGreaterThan(50);
    expect(lacking).toEqual([]);
  });
});
