import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';

const VENV = join(ROOT, 'out', 'fuzz', 'venv');
const INSTALL_MS = 300_000;

/**
 * Runs Schemathesis: requests generated from /openapi.json, whose responses are checked against it.
 * @returns why it was skipped, or its findings
 */
export function runSchemathesis({ api, account }, { seconds, seed }) {
  const program = install();
  if (program === undefined)
    return { skipped: 'Python 3 with venv, or Schemathesis from PyPI, is not to be had' };
  const { status, stdout } = spawnSync(
    program,
    [
      'run',
      `http://127.0.0.1:${api.port}/openapi.json`,
      `--url=http://127.0.0.1:${api.port}`,
      `--header=x-api-key: ${account.key}`,
      '--checks=not_a_server_error',
      `--seed=${seed}`,
      '--max-examples=10',
      '--phases=examples,coverage,fuzzing',
    ],
    { encoding: 'utf8', timeout: Math.max(seconds, 30) * 1_000, cwd: join(ROOT, 'out', 'fuzz') },
  );
  const cases = /^ *(\d+ generated.*)$/m.exec(stdout)?.[1] ?? 'not done in its time';
  // Without an exit status, its time limit ended it early.
  return {
    cases,
    findings: status === null || status === 0 ? 0 : 1,
    text: stdout.split('\n').slice(-40).join('\n'),
  };
}

function install() {
  const program = join(VENV, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  const run = (command, args) =>
    spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_MS }).status === 0;
  const isThere =
    run('python3', ['-m', 'venv', VENV]) && run(join(VENV, 'bin', 'pip'), ['install', '-q', 'schemathesis']);
  return isThere && existsSync(program) ? program : undefined;
}
