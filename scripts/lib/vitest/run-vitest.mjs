import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packageBin, runNode } from '../check.mjs';
import { ROOT } from '../paths.mjs';

/**
 * Runs vitest with its usual output and counts.
 * @param {readonly string[]} args passed on
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runVitest(args) {
  const dir = mkdtempSync(join(tmpdir(), 'ies-vitest-'));
  const report = join(dir, 'report.json');
  try {
    const { code } = await runNode(
      [
        packageBin('vitest', 'vitest.mjs'),
        'run',
        '--reporter=default',
        `--reporter=${join(import.meta.dirname, 'spec-times.mjs')}`,
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...args,
      ],
      'show',
    );
    return count(code, report);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function count(code, report) {
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    // It did not come to tests at all.
    return { passed: 0, failed: 1, skipped: 0 };
  }
  // A file that cannot be loaded has no tests that could fail; it counts as one.
  const broken = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const unfinished = testsOf(result, 'pending');
  // Vitest says that a process has ended, but not at what.
  for (const { file, name } of unfinished) process.stdout.write(`✗ did not end: ${file} > ${name}\n`);
  const failed = result.numFailedTests + broken + unfinished.length;
  return {
    passed: result.numPassedTests,
    // For instance an error outside of every test.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: testsOf(result, 'skipped').length + (result.numTodoTests ?? 0),
  };
}

function testsOf(result, status) {
  return result.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter((test) => test.status === status)
      .map(({ fullName: name }) => ({ file: relative(ROOT, file), name })),
  );
}
