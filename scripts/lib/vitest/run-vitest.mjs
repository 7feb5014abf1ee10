import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageBin, runNode } from '../check.mjs';
import { countTests, failedFiles, readTestReport } from './test-report.mjs';
import { UNHANDLED_ERRORS_FILE } from './unhandled-errors.mjs';

/** More failed files than this are no coincidence. */
const MAX_RERUN_FILES = 8;

/**
 * Runs vitest once with its usual output and counts.
 * @param {readonly string[]} args passed on
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runVitest(args) {
  return countTests(await runOnce(args));
}

/**
 * Runs vitest, then the few files that failed once more, one at a time. Their second result counts, and a test that
 * passes only then is printed as flaky.
 * @param {readonly string[]} [args] passed on to both runs
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runVitestWithRerun(args = []) {
  const first = await runOnce(args);
  const failed = failedFiles(first);
  if (failed.length === 0 || failed.length > MAX_RERUN_FILES) return countTests(first);
  process.stdout.write(`\nRunning the failed files again, one at a time:\n${failed.join('\n')}\n`);
  const second = await runOnce([...args, '--no-file-parallelism', ...failed]);
  printFlaky(first, second);
  return countTests({
    files: new Map([...first.files, ...second.files]),
    otherFailures: first.otherFailures + second.otherFailures,
  });
}

/** @returns {Promise<import('./test-report.mjs').TestReport>} */
async function runOnce(args) {
  const dir = mkdtempSync(join(tmpdir(), 'ies-vitest-'));
  const [results, errors] = [join(dir, 'results.json'), join(dir, 'errors.json')];
  try {
    const { code } = await runNode(
      [
        packageBin('vitest', 'vitest.mjs'),
        'run',
        '--reporter=default',
        ...['spec-times.mjs', 'unhandled-errors.mjs'].map(
          (name) => `--reporter=${join(import.meta.dirname, name)}`,
        ),
        '--reporter=json',
        `--outputFile.json=${results}`,
        ...args,
      ],
      'show',
      { [UNHANDLED_ERRORS_FILE]: errors },
    );
    const report = readTestReport({ results, errors, code });
    printUnfinished(report);
    return report;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Vitest says that a process has ended, but not at what. */
function printUnfinished({ files }) {
  for (const [file, { unfinished }] of files)
    for (const name of unfinished) process.stdout.write(`✗ did not end: ${file} > ${name}\n`);
}

function printFlaky(first, second) {
  const stillFailed = new Set(failedFiles(second));
  for (const file of failedFiles(first)) {
    if (stillFailed.has(file)) continue;
    const { failed, unfinished } = first.files.get(file);
    for (const name of [...failed, ...unfinished])
      process.stdout.write(`! flaky, passed only when its file ran again: ${file} > ${name}\n`);
  }
}
