import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_TOOLS, SCHEMATHESIS } from '../contract/tools.mjs';
import { ROOT } from '../lib/paths.mjs';
import { SetupError } from '../lib/setup-error.mjs';

const OUT = join(ROOT, 'out', 'fuzz');
const INSTALL_MS = 300_000;
const MAX_OUTPUT_BYTES = 2 ** 26;

/**
 * Runs Schemathesis: requests generated from /openapi.json, whose responses are checked against it. At the time limit,
 * it is interrupted, and reports what it has found so far.
 * @returns why it was skipped, or its findings
 * @throws SetupError when it ends early for another reason
 */
export function runSchemathesis({ api, account }, { seconds, seed, program = install(), folder = OUT }) {
  if (program === undefined)
    return { skipped: 'Python 3 with venv, or Schemathesis from PyPI, is not to be had' };
  const path = join(folder, 'schemathesis.json');
  rmSync(path, { force: true });
  const { stdout, stderr, error } = spawnSync(
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
      '--request-timeout=20',
      '--no-color',
      `--report-json-path=${path}`,
    ],
    {
      encoding: 'utf8',
      timeout: seconds * 1_000,
      killSignal: 'SIGINT',
      maxBuffer: MAX_OUTPUT_BYTES,
      cwd: folder,
    },
  );
  const text = lastLines(stdout ?? '');
  const report = readJson(path);
  const isCut = error?.code === 'ETIMEDOUT';
  if (report === undefined || !(report.complete || isCut))
    throw new SetupError(
      `Schemathesis did not run to its end. ${error?.message ?? ''}\n${text}\n${lastLines(stderr ?? '')}`,
    );
  const failures = report.failures.flatMap(({ operations }) => operations);
  return {
    cases: `${report.test_cases.generated} cases${isCut ? ', not done in its time' : ''}`,
    findings: failures.length + report.errors.length,
    text,
  };
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function lastLines(text) {
  return text.split('\n').slice(-40).join('\n');
}

/** @returns the program that `npm run contract:setup` installs, or one of the same version below out/fuzz */
function install() {
  if (existsSync(CONTRACT_TOOLS.schemathesis)) return CONTRACT_TOOLS.schemathesis;
  const venv = join(OUT, SCHEMATHESIS);
  const program = join(venv, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  const run = (command, args) =>
    spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_MS }).status === 0;
  const isThere =
    run('python3', ['-m', 'venv', venv]) && run(join(venv, 'bin', 'pip'), ['install', '-q', SCHEMATHESIS]);
  return isThere && existsSync(program) ? program : undefined;
}
