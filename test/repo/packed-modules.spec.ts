import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAMS, stubOf } from '../../scripts/lib/packed-modules.mjs';
import { DIST } from '../../scripts/lib/paths.mjs';

const PACKED = join(DIST, '.packed');
const files = readdirSync(PACKED).filter((name) => name.endsWith('.js'));
const textOf = (name: string): string => readFileSync(join(PACKED, name), 'utf8');
/** Without the types of plain JavaScript, which name the modules that declare them, and the bundler's own code. */
const codeOf = (name: string): string =>
  textOf(name)
    .replaceAll(/^\/\*\* @typedef .*$/gm, '')
    .replace('createRequire(import.meta.url)', '');

describe('the packed programs', () => {
  it.each(PROGRAMS)('%s is packed, and its unpacked version is kept', (path) => {
    const stub = readFileSync(join(DIST, `${path}.js`), 'utf8');
    expect(stub).toBe(stubOf(path));
    expect(existsSync(join(DIST, dirname(path), /'(.+)'/.exec(stub)![1]!))).toBe(true);
    expect(readFileSync(join(DIST, `${path}.unpacked.js`), 'utf8')).toMatch(/'\.{1,2}\//);
  });

  it('import packages and each other, but no individual module', () => {
    const imported = files.flatMap((name) =>
      [...codeOf(name).matchAll(/(?:\bfrom |\bimport |\bimport\()["']([.#][^"']+)["']/g)].map(
        ([, path]) => path!,
      ),
    );
    expect(imported.length).toBeGreaterThan(20);
    expect(imported.filter((path) => !files.includes(path.slice('./'.length)))).toEqual([]);
  });

  it('find files where the compiled modules would', () => {
    const places = files.flatMap((name) =>
      [...textOf(name).matchAll(/new URL\("([^"]+)", import\.meta\.url\)\.href/g)].map(([, path]) => path!),
    );
    expect(places.length).toBeGreaterThan(5);
    expect(places.filter((path) => !existsSync(join(PACKED, path)))).toEqual([]);
    for (const name of files) expect(codeOf(name).match(/import\.meta\.(?!url\)\.href)/g), name).toBeNull();
  });

  it('keep calls that are made only for the error that they may throw', () => {
    const call = /^\s*decodeURI\(path\);$/m;
    expect(readFileSync(join(DIST, 'app/api/protocol/routable-url.js'), 'utf8')).toMatch(call);
    expect(files.filter((name) => call.test(textOf(name)))).toHaveLength(1);
  });

  it('have source maps that lead to the sources', () => {
    const maps = readdirSync(PACKED).filter((name) => name.endsWith('.map'));
    const sources = maps.flatMap((name) => (JSON.parse(textOf(name)) as { sources: string[] }).sources);
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((path) => !path.endsWith('.ts') && !path.endsWith('.mjs'))).toEqual([]);
    expect(sources.filter((path) => !existsSync(join(PACKED, path)))).toEqual([]);
  });
});
