import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from '../paths.mjs';

/**
 * The results of one vitest run.
 * @typedef {object} TestReport
 * @property {Map<string, FileResult>} files by path relative to the repository
 * @property {number} otherFailures failures that belong to no file
 *
 * @typedef {object} FileResult
 * @property {number} passed
 * @property {number} skipped
 * @property {string[]} failed names of tests; '(the file)' for one that does not load or fails outside of its tests
 * @property {string[]} unfinished names of the tests at which their process ended
 */

/**
 * @param {object} run
 * @param {string} run.results path of vitest's JSON report
 * @param {string} run.errors path of the report of `UnhandledErrors`
 * @param {number} run.code exit status of vitest
 * @returns {TestReport}
 */
export function readTestReport({ results, errors, code }) {
  const found = readJson(results);
  // Vitest failed before it ran any tests.
  if (found === undefined) return { files: new Map(), otherFailures: 1 };
  const files = new Map();
  for (const file of found.testResults) addFile(files, relative(ROOT, file.name), fileResult(file));
  /** @type {import('./unhandled-errors.mjs').UnhandledError[]} */
  const unhandled = readJson(errors) ?? [];
  for (const { path } of unhandled) if (path !== null) addFailure(files, relative(ROOT, path));
  const report = { files, otherFailures: countOthers(unhandled, files) };
  const hasFailed = failedFiles(report).length + report.otherFailures > 0;
  return code === 0 || hasFailed ? report : { ...report, otherFailures: 1 };
}

/** @param {TestReport} report */
export function failedFiles({ files }) {
  return [...files]
    .filter(([, { failed, unfinished }]) => failed.length + unfinished.length > 0)
    .map(([name]) => name);
}

/** @param {TestReport} report */
export function countTests({ files, otherFailures }) {
  const counts = { passed: 0, failed: otherFailures, skipped: 0 };
  for (const { passed, skipped, failed, unfinished } of files.values()) {
    counts.passed += passed;
    counts.skipped += skipped;
    counts.failed += failed.length + unfinished.length;
  }
  return counts;
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function fileResult({ status, assertionResults }) {
  const namesOf = (wanted) =>
    assertionResults.filter((test) => test.status === wanted).map(({ fullName }) => fullName);
  const failed = namesOf('failed');
  return {
    passed: namesOf('passed').length,
    skipped: namesOf('skipped').length + namesOf('todo').length,
    failed: status === 'failed' && failed.length === 0 ? ['(the file)'] : failed,
    unfinished: namesOf('pending'),
  };
}

/** A file may run in more than one project. */
function addFile(files, name, result) {
  const earlier = files.get(name);
  if (earlier === undefined) files.set(name, result);
  else for (const key of Object.keys(result)) earlier[key] = concat(earlier[key], result[key]);
}

function concat(one, other) {
  return typeof one === 'number' ? one + other : [...one, ...other];
}

function addFailure(files, name) {
  const file = files.get(name);
  if (file === undefined) files.set(name, { passed: 0, skipped: 0, failed: ['(the file)'], unfinished: [] });
  else if (file.failed.length + file.unfinished.length === 0) file.failed.push('(the file)');
}

/** The end of a process is an error without a path, but its tests are known as unfinished. */
function countOthers(unhandled, files) {
  const others = unhandled.filter(({ path }) => path === null);
  const ends = others.filter(({ isProcessEnd }) => isProcessEnd).length;
  const unfinished = [...files.values()].filter((file) => file.unfinished.length > 0).length;
  return others.length - Math.min(ends, unfinished);
}
