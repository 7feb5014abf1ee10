import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
const WITH_PACKAGES = modulesIn('tests/with_packages');
/** Those of the `async` extra, and those of the examples. */
const PACKAGES = ['httpx>=0.25,<1', 'greenlet>=3', 'fastapi>=0.115,<1', 'uvicorn>=0.30,<1'];
const packages = mkdtempSync(join(tmpdir(), 'ies-python-'));
const install = ['-m', 'pip', 'install', '--quiet', '--target', packages, ...PACKAGES];
const hasPackages = spawnSync('python3', install, { timeout: 120_000 }).status === 0;

let control: ClientControl | undefined;
beforeAll(async () => {
  control = await ClientControl.start();
});
afterAll(async () => {
  await control?.close();
  rmSync(packages, { recursive: true, force: true });
});

/** Runs a program in the library's folder. */
function run(
  program: string,
  args: readonly string[],
  more: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const modules = [join(FOLDER, 'src'), ...more].join(delimiter);
  const paths = { PYTHONPATH: modules, MYPYPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(program, args, {
    cwd: FOLDER,
    env: { ...process.env, ...control?.environment, ...paths },
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

describe('the Python client', () => {
  it.each(MODULES)('%s', async (module) => {
    // With only Python's standard library.
    expect(await failureOf('python3', [module])).toBeUndefined();
  });

  it.skipIf(!hasPackages).each(WITH_PACKAGES)('%s (needs pip and a package index)', async (module) => {
    expect(await failureOf('python3', [`with_packages.${module}`], [packages])).toBeUndefined();
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

  it('is fully typed', async () => {
    const { code, output } = await run('mypy', [
      '--strict',
      '--cache-dir=/dev/null',
      'src',
      'tests',
      'examples',
    ]);
    expect(code, output).toBe(0);
  });
});
