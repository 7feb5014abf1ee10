import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtProgram, ensureFlowBuild } from '../../support/roles/flow-build.js';
import { flowEnvironment } from '../../support/roles/flow-environment.js';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Not the temporary folder itself: the repository may be below it, and the programs would name a relative path. */
const elsewhere = mkdtempSync(join(tmpdir(), 'ies-command-lines-'));
afterAll(() => rmSync(elsewhere, { recursive: true }));

/** Runs a program as in production: without npm. A program that starts the service instead would fail or not end. */
function run(name: string, argument: string): Promise<Outcome> {
  const env = flowEnvironment({ DATA_DIR: '/nonexistent', HOST: '192.0.2.1' });
  return new Promise((resolve) => {
    const words = [builtProgram(name), argument];
    execFile(process.execPath, words, { env, cwd: elsewhere, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

beforeAll(ensureFlowBuild);

it.each(['api', 'worker', 'dispatcher', 'all', 'admin', 'models', 'doctor'])(
  'main.%s.js prints its usage for --help, with the command that was typed',
  async (name) => {
    const program = `main.${name}.js`;
    const { code, stdout, stderr } = await run(program, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: node ${builtProgram(program)} `);
  },
);

it.each(['api', 'all', 'admin'])('main.%s.js refuses an option that it does not have', async (name) => {
  const program = `main.${name}.js`;
  expect(await run(program, '--prot')).toEqual({
    code: 2,
    stdout: '',
    stderr: `Unknown option '--prot'\nRun "node ${builtProgram(program)} --help" to see the usage.\n`,
  });
});
