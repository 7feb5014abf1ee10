import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { NODE_MODULES, ROOT } from '../../../scripts/lib/paths.mjs';

const COPIED = ['package-lock.json', 'scripts/lib', 'tsconfig.json'];
const OPTIONS = { noCheck: true, rootDir: '.', module: 'nodenext', target: 'es2022' };

interface Build {
  beginBuild(): void;
  recordBuild(): void;
  ensureServiceBuild(say: (text: string) => void): void;
  withServiceModules<T>(say: (text: string) => void, use: (folder: string) => Promise<T>): Promise<T>;
  isServiceCurrent(): boolean;
}

/** A clone with one source file, so that its compilers take no time. */
describe('npm run build', () => {
  let clone: string;
  let build: Build;
  const write = (path: string, text: string): void => writeFileSync(join(clone, path), text);
  beforeEach(async () => {
    clone = mkdtempSync(join(tmpdir(), 'ies-clone-'));
    for (const path of COPIED) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
    symlinkSync(NODE_MODULES, join(clone, 'node_modules'));
    for (const folder of ['src', 'tools']) mkdirSync(join(clone, folder));
    write('src/a.ts', 'export const a = 1;\n');
    write('tools/b.ts', 'export const b = 1;\n');
    const config = (outDir: string, include: string): string =>
      JSON.stringify({
        compilerOptions: { ...OPTIONS, outDir, rootDir: include, types: [] },
        include: [include],
      });
    write('tsconfig.build.json', config('dist', 'src'));
    write('tools/tsconfig.build.json', config('../dist/tools', '.'));
    build = (await import(pathToFileURL(join(clone, 'scripts/lib/build.mjs')).href)) as Build;
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  it('records what it compiles, with the checks of types, between its first and its last step', () => {
    const steps = packageJson.scripts.build.split(' && ');
    expect(steps).toEqual([
      'node scripts/lib/build-step.mjs begin',
      'nest build',
      'tsc -p tools/tsconfig.build.json',
      'node scripts/lib/build-step.mjs finish',
    ]);
  });

  it('leaves nothing to compile to npm start', () => {
    build.beginBuild();
    expect(build.isServiceCurrent()).toBe(false);
    write('dist/a.js', 'export const a = 1;\n');
    write('dist/removed.js', '');
    build.recordBuild();
    expect(build.isServiceCurrent()).toBe(true);
    expect([existsSync(join(clone, 'dist/a.js')), existsSync(join(clone, 'dist/removed.js'))]).toEqual([
      true,
      false,
    ]);
  });

  it('does not count when a source was changed in the meantime', () => {
    build.beginBuild();
    write('src/a.ts', 'export const a = 2;\n');
    build.recordBuild();
    expect(build.isServiceCurrent()).toBe(false);
  });

  it('compiles changed sources beside dist for a command that only imports modules', async () => {
    const modules = () =>
      build.withServiceModules(
        () => undefined,
        async (folder) => readFileSync(join(folder, 'a.js'), 'utf8'),
      );
    build.ensureServiceBuild(() => undefined);
    const compiled = readFileSync(join(clone, 'dist/a.js'), 'utf8');
    expect(await modules()).toBe(compiled);
    write('src/a.ts', 'export const a = 2;\n');
    expect(await modules()).toContain('a = 2');
    expect(readFileSync(join(clone, 'dist/a.js'), 'utf8')).toBe(compiled);
    expect(readdirSync(join(clone, 'out'))).toEqual([]);
    expect(build.isServiceCurrent()).toBe(false);
  });

  it('compiles every file again after npm start has compiled', () => {
    mkdirSync(join(clone, 'dist'));
    write('dist/.tsbuildinfo', '{}');
    build.ensureServiceBuild(() => undefined);
    expect(existsSync(join(clone, 'dist/a.js'))).toBe(true);
    expect(existsSync(join(clone, 'dist/.tsbuildinfo'))).toBe(false);
  });
});
