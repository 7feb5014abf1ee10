import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIST, NODE_MODULES } from '../../scripts/lib/paths.mjs';
import { PACKAGES } from '../../scripts/lib/packed-packages.mjs';
import { ensureFlowBuild } from '../support/roles/flow-build.js';

const PACKED = join(DIST, 'node_modules');

describe('packed packages', () => {
  let packed: readonly Exports[];
  let installed: readonly Exports[];
  beforeAll(async () => {
    await ensureFlowBuild();
    packed = exportsOf(PACKAGES.map((name) => pathToFileURL(join(PACKED, name, 'index.js')).href));
    installed = exportsOf(PACKAGES);
  });

  it.each(PACKAGES)('%s has the exports and the version of the installed package', async (name) => {
    const index = PACKAGES.indexOf(name);
    expect(packed[index]).toEqual(installed[index]);
    expect(Object.keys(packed[index]!).length).toBeGreaterThan(0);
    const version = (folder: string) =>
      (JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { version: string }).version;
    expect(version(PACKED)).toBe(version(NODE_MODULES));
  });

  it('are what the built service resolves', () => {
    const fromDist = createRequire(join(DIST, 'main.api.js'));
    for (const name of PACKAGES) expect(fromDist.resolve(name)).toBe(join(PACKED, name, 'index.js'));
  });

  it('share their dependencies: TypeORM uses the packed PostgreSQL client', async () => {
    const load = async (name: string) =>
      (await import(pathToFileURL(join(PACKED, name, 'index.js')).href)) as Record<string, unknown>;
    const { DataSource } = (await load('typeorm')) as unknown as typeof import('typeorm');
    const { Client } = (await load('pg')) as unknown as typeof import('pg');
    const driver = new DataSource({ type: 'postgres' }).driver as unknown as {
      postgres: { Client: unknown };
    };
    expect(driver.postgres.Client).toBe(Client);
  });

  it('connect to PostgreSQL without the HTTP client of Node.js', () => {
    const pg = pathToFileURL(join(PACKED, 'pg', 'index.js')).href;
    const loaded = answerOf(`
      await import(${JSON.stringify(pg)});
      process.stdout.write(JSON.stringify(process.moduleLoadList));`) as string[];
    expect(loaded).toContain('NativeModule net');
    expect(loaded.filter((name) => name.includes('undici'))).toEqual([]);
  });

  describe('are compiled', () => {
    // Where modules find the packages that are not packed.
    const copy = mkdtempSync(join(NODE_MODULES, '.ies-packed-'));
    afterAll(() => rmSync(copy, { recursive: true, force: true }));

    it('and Node.js accepts the compiled code of every module', () => {
      const modules = readdirSync(join(PACKED, '.shared')).filter((name) => name.endsWith('.cjs'));
      expect(modules.length).toBeGreaterThan(PACKAGES.length);
      expect(rejectedIn(PACKED)).toEqual([]);
    });

    it('but truncated code is ignored', () => {
      cpSync(PACKED, copy, { recursive: true });
      expect(rejectedIn(copy)).toEqual([]);
      truncateSync(join(copy, '.shared', 'typeorm.cjs.code'), 100);
      expect(rejectedIn(copy)).toEqual(['typeorm.cjs']);
    });
  });
});

type Exports = Readonly<Record<string, string>>;

/**
 * The names and types of what each module exports, in a separate process: the test runner derives a default export from
 * CommonJS differently.
 */
function exportsOf(specifiers: readonly string[]): readonly Exports[] {
  return answerOf(`
    const modules = [];
    for (const specifier of ${JSON.stringify(specifiers)}) modules.push(await import(specifier));
    const typesOf = (module) => Object.entries(module)
      // To transpiled ES modules, Node.js adds the whole module as default export.
      .filter(([name]) => !['__esModule', 'module.exports', module.__esModule ? 'default' : ''].includes(name))
      .map(([name, value]) => [name, typeof value]);
    process.stdout.write(JSON.stringify(modules.map((module) => Object.fromEntries(typesOf(module)))));`) as Exports[];
}

/** The packed modules that Node.js compiles although they are compiled, when every package is loaded. */
function rejectedIn(folder: string): string[] {
  const urls = PACKAGES.map((name) => pathToFileURL(join(folder, name, 'index.js')).href);
  return answerOf(`
    for (const url of ${JSON.stringify(urls)}) await import(url);
    const { rejected } = await import(${JSON.stringify(pathToFileURL(join(folder, '.shared', 'load.js')).href)});
    process.stdout.write(JSON.stringify(rejected()));`) as string[];
}

function answerOf(program: string): unknown {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `${program}\nprocess.exit();`],
    { cwd: NODE_MODULES, encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}
