import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientControl } from '../../support/clients/client-control.js';

const FOLDER = join(import.meta.dirname, '../../../clients/python');
/** The modules with tests in a folder. */
const modulesIn = (folder: string) =>
  readdirSync(join(FOLDER, folder)).flatMap((name) => /^(test_\w+)\.py$/.exec(name)?.[1] ?? []);
/** These need only Python. */
const MODULES = [
  ...modulesIn('tests'),
  ...modulesIn('tests/folder_runs').map((module) => `folder_runs.${module}`),
];
const WITH_PACKAGES = modulesIn('tests/with_packages').map((module) => `with_packages.${module}`);
/** Most modules bring servers of their own. An idle service would take CPU time meanwhile. */
const isWithService = (module: string) =>
  /\bimport (\w+, )*stage\b/.test(readFileSync(join(FOLDER, `tests/${module.replace('.', '/')}.py`), 'utf8'));
const isAlone = (module: string) => !isWithService(module);
/** Those of the `async` extra, and those of the examples. */
const FRAMEWORKS = ['fastapi>=0.115,<1', 'uvicorn>=0.30,<1', 'flask>=3,<4', 'django>=4.2,<6'];
const PACKAGES = ['httpx>=0.25,<1', 'greenlet>=3', ...FRAMEWORKS];
const temporary = mkdtempSync(join(tmpdir(), 'ies-python-'));
const packages = join(temporary, 'packages');
// Python compiles what the tests import, which is a small part.
const install = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', packages, ...PACKAGES];
const hasPackages = spawnSync('python3', install, { timeout: 120_000 }).status === 0;

/** Some 130 programs run the library. Most of the time to start one would be spent on compiling it again. */
const BYTECODE = { PYTHONPYCACHEPREFIX: join(temporary, 'bytecode'), PYTHONDONTWRITEBYTECODE: '' };
/** Two tests check types. As the checks of `npm test` do, mypy remembers what it found in unchanged files. */
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/mypy');
const TYPES = { MYPY_CACHE_DIR: CACHE, MYPYPATH: 'src' };

let control: ClientControl | undefined;
beforeAll(async () => {
  // Programs that run without `-W error` reuse the bytecode of this one, which therefore reports every warning.
  const compile = ['-W', 'error', '-m', 'compileall', '-q', 'src', 'tests', 'examples'];
  const { code, output } = await run('python3', compile);
  expect(code, output).toBe(0);
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Runs a program in the library's folder. */
function run(
  program: string,
  args: readonly string[],
  more: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const modules = [join(FOLDER, 'src'), ...more].join(delimiter);
  const child = spawn(program, args, {
    cwd: FOLDER,
    env: { ...process.env, ...control?.environment, ...TYPES, ...BYTECODE, PYTHONPATH: modules },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}

/** The output of tests that did not all pass. A skipped test counts as a failure, which Python calls success. */
async function failureOf(
  python: string,
  modules: readonly string[],
  more: readonly string[] = [],
): Promise<string | undefined> {
  const names = modules.map((module) => `tests.${module}`);
  const { code, output } = await run(python, ['-W', 'error', '-m', 'unittest', '-v', ...names], more);
  const isFine = code === 0 && /Ran [1-9]\d* tests?/.test(output) && !output.includes('skipped=');
  return isFine ? undefined : output;
}

const NEEDS = 'needs pip and a package index';

describe('the Python client', () => {
  it.each(MODULES.filter(isAlone))('%s', async (module) => {
    // With only Python's standard library.
    expect(await failureOf('python3', [module])).toBeUndefined();
  });

  it.skipIf(!hasPackages).each(WITH_PACKAGES.filter(isAlone))(`%s (${NEEDS})`, async (module) => {
    expect(await failureOf('python3', [module], [packages])).toBeUndefined();
  });

  it('is fully typed', async () => {
    const { code, output } = await run('mypy', ['--strict', 'src', 'tests', 'examples']);
    expect(code, output).toBe(0);
  });
});

describe('the Python client with the service', () => {
  beforeAll(async () => {
    control = await ClientControl.start();
  });
  afterAll(() => control?.close());

  it.each(MODULES.filter(isWithService))('%s', async (module) => {
    expect(await failureOf('python3', [module])).toBeUndefined();
  });

  it.skipIf(!hasPackages).each(WITH_PACKAGES.filter(isWithService))(`%s (${NEEDS})`, async (module) => {
    expect(await failureOf('python3', [module], [packages])).toBeUndefined();
  });

  const FLOOR = 'python3.9';
  const isThere = spawnSync(FLOOR, ['--version']).status === 0;
  it.skipIf(!isThere)(
    `works with the oldest Python version that it supports (needs the program "${FLOOR}")`,
    async () => {
      const modules = MODULES.filter((name) => name !== 'test_client' && name !== 'test_documents');
      expect(await failureOf(FLOOR, modules)).toBeUndefined();
    },
  );
});
