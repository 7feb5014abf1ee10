import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A module of `dist` that a script names, and what the script imports from it. */
export interface NamedModule {
  readonly script: string;
  /** Its path below `dist`, with slashes. */
  readonly path: string;
  /** The names in a destructuring import, if there is one. */
  readonly names: readonly string[];
}

/** The modules of `dist` that the scripts below a folder name. */
export function builtModulesOf(root: string, folder: string): NamedModule[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => namedIn(join(folder, name), readFileSync(join(root, folder, name), 'utf8')));
}

/** `'a/b.js'`, as passed to a function that imports from `dist`. */
const LITERAL = /'((?:[\w-]+\/)+[\w.-]+\.js)'/g;
/** `join(DIST, 'a', 'b.js')`. */
const JOINED = /join\(DIST,((?:\s*'[^']+',?)+)\s*\)/g;
/** `'../../dist/a/b.js'`. */
const RELATIVE = /'(?:\.\.\/)+dist\/([^']+\.js)'/g;
/** `runBuilt('main.all')`. */
const PROGRAM = /runBuilt\('([^']+)'/g;

/** Exported for its spec. */
export function namedIn(script: string, text: string): NamedModule[] {
  const found = [
    ...[...text.matchAll(JOINED)].map(([, parts]) =>
      [...parts!.matchAll(/'([^']+)'/g)].map(([, part]) => part).join('/'),
    ),
    ...[...text.matchAll(LITERAL)].map(([, path]) => path!),
    ...[...text.matchAll(RELATIVE)].map(([, path]) => path!),
    ...[...text.matchAll(PROGRAM)].map(([, name]) => `${name!}.js`),
  ].filter((path) => path.endsWith('.js'));
  return [...new Set(found)].map((path) => ({ script, path, names: namesFrom(text, path) }));
}

/** The names in `const { a, b: c } = await built('path')`, or in an import statement with a relative path. */
function namesFrom(text: string, path: string): readonly string[] {
  const literal = path.replaceAll('.', String.raw`\.`);
  const taken = new RegExp(
    String.raw`\{([^{}]*)\}\s*(?:= await built\(\s*'|from '(?:\.\./)+dist/)${literal}'`,
    'g',
  );
  return [...text.matchAll(taken)].flatMap(([, names]) =>
    names!
      .split(',')
      .map((name) => name.split(/:| as /)[0]!.trim())
      .filter((name) => name !== ''),
  );
}
