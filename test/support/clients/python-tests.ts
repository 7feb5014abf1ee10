import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ClientControl } from './client-control.js';

const FOLDER = join(import.meta.dirname, '../../../clients/python');

/** The modules with tests in a folder. */
const modulesIn = (folder: string): string[] =>
  readdirSync(join(FOLDER, folder)).flatMap((name) => /^(test_\w+)\.py$/.exec(name)?.[1] ?? []);

/** These need only Python. */
export const MODULES = [
  ...modulesIn('tests'),
  ...modulesIn('tests/folder_runs').map((module) => `folder_runs.${module}`),
];
export const WITH_PACKAGES = modulesIn('tests/with_packages').map((module) => `with_packages.${module}`);

/** Most modules bring servers of their own. An idle service would take CPU time meanwhile. */
export const isWithService = (module: string): boolean =>
  /\bimport (\w+, )*stage\b/.test(readFileSync(join(FOLDER, `tests/${module.replace('.', '/')}.py`), 'utf8'));
export const isAlone = (module: string): boolean => !isWithService(module);

/** Two tests check types. As the checks of `npm test` do, mypy remembers what it found in unchanged files. */
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/mypy');
const TYPES = { MYPY_CACHE_DIR: CACHE, MYPYPATH: 'src' };

/** Runs the Python client's own tests, and other programs in its folder. */
export class PythonTests {
  /** The service for modules that need one. */
  control: ClientControl | undefined;
  /** A folder that `close` removes. */
  readonly temporary = mkdtempSync(join(tmpdir(), 'ies-python-'));

  /** @throws Error if a module cannot be compiled, or causes a warning */
  async compile(): Promise<void> {
    // Programs that run without `-W error` reuse the bytecode of this one, which therefore reports every warning.
    const compile = ['-W', 'error', '-m', 'compileall', '-q', 'src', 'tests', 'examples'];
    const { code, output } = await this.run('python3', compile);
    if (code !== 0) throw new Error(output);
  }

  /** @param more folders with packages */
  run(
    program: string,
    args: readonly string[],
    more: readonly string[] = [],
  ): Promise<{ code: number | null; output: string }> {
    // Some 130 programs run the library. Most of the time to start one would be spent on compiling it again.
    const bytecode = { PYTHONPYCACHEPREFIX: join(this.temporary, 'bytecode'), PYTHONDONTWRITEBYTECODE: '' };
    const modules = [join(FOLDER, 'src'), ...more].join(delimiter);
    const child = spawn(program, args, {
      cwd: FOLDER,
      env: { ...process.env, ...this.control?.environment, ...TYPES, ...bytecode, PYTHONPATH: modules },
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
    });
  }

  /** The output of tests that did not all pass. A skipped test counts as a failure, which Python calls success. */
  async failureOf(
    python: string,
    modules: readonly string[],
    more: readonly string[] = [],
  ): Promise<string | undefined> {
    const names = modules.map((module) => `tests.${module}`);
    const args = ['-W', 'error', '-m', 'unittest', '-v', ...names];
    const { code, output } = await this.run(python, args, more);
    const isFine = code === 0 && /Ran [1-9]\d* tests?/.test(output) && !output.includes('skipped=');
    return isFine ? undefined : output;
  }

  async close(): Promise<void> {
    await this.control?.close();
    rmSync(this.temporary, { recursive: true, force: true });
  }
}
