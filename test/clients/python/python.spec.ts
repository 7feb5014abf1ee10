import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientControl } from '../../support/clients/client-control.js';

const FOLDER = join(import.meta.dirname, '../../../clients/python');
/** Needs the packages of the `async` extra; all others need only Python. */
const ASYNC_MODULE = 'with_httpx.test_aio_httpx';
const MODULES = readdirSync(join(FOLDER, 'tests')).flatMap(
  (name) => /^(test_\w+)\.py$/.exec(name)?.[1] ?? [],
);
const packages = mkdtempSync(join(tmpdir(), 'ies-python-'));
const install = ['-m', 'pip', 'install', '--quiet', '--target', packages, 'httpx>=0.25,<1', 'greenlet>=3'];
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

describe('the Python client', () => {
  it.each(MODULES)('%s', async (module) => {
    // With only Python's standard library.
    const args = ['-W', 'error', '-m', 'unittest', '-v', `tests.${module}`];
    const { code, output } = await run('python3', args);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Ran [1-9]\d* tests?/);
  });

  it.skipIf(!hasPackages)('test_aio_httpx (needs pip and a package index)', async () => {
    const args = ['-W', 'error', '-m', 'unittest', '-v', `tests.${ASYNC_MODULE}`];
    const { code, output } = await run('python3', args, [packages]);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Ran [1-9]\d* tests?/);
  });

  const FLOOR = 'python3.9';
  const isThere = spawnSync(FLOOR, ['--version']).status === 0;
  it.skipIf(!isThere)(
    `works with the oldest Python version that it supports (needs the program "${FLOOR}")`,
    async () => {
      const modules = MODULES.filter((name) => name !== 'test_client' && name !== 'test_documents');
      const names = modules.map((module) => `tests.${module}`);
      const { code, output } = await run(FLOOR, ['-W', 'error', '-m', 'unittest', ...names]);
      expect(code, output).toBe(0);
    },
  );

  it('is fully typed', async () => {
    const files = ['src', 'tests', 'examples/batch_folder.py', 'examples/plain_receiver.py'];
    const { code, output } = await run('mypy', ['--strict', '--cache-dir=/dev/null', ...files]);
    expect(code, output).toBe(0);
  });
});
