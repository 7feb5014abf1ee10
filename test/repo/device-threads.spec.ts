import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** See docs/decisions/0001-device-threads.md: who may start a thread, and who may exit a process at once. */
const STARTS_THREADS = [
  // The only place that starts a thread with models.
  'inference/device/threads/device-threads.ts',
  // A timer that never loads a model.
  'models/check/exit-with-parent.ts',
];
const EXITS_AT_ONCE = [
  // Waits for the device threads first.
  'inference/device/threads/exit-after-runs.ts',
  // Processes without device threads; the worker passes `exitAfterRuns` to `runRole`.
  'app/role/run-role.ts',
  // Runs until runRole replaces the handler, before any model is loaded.
  'app/role/end-on-signals.ts',
  'inference/device/probe-process.ts',
  'main.all.ts',
  'main.demo.ts',
  // Runs before a role has loaded anything.
  'roles/role-channel.ts',
];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

const pathsWith = (pattern: RegExp): string[] =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .toSorted();

describe('device threads', () => {
  it('are started only where the list allows it', () => {
    expect(pathsWith(/\bnew Worker\(/)).toEqual(STARTS_THREADS.toSorted());
  });

  it('are never terminated', () => {
    const holders = files.filter(({ text }) => /from 'node:worker_threads'/.test(text));
    expect(holders.length).toBeGreaterThan(2);
    expect(holders.filter(({ text }) => /\.terminate\(/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('are never ended by process.exit in a process that may have them', () => {
    expect(pathsWith(/\bprocess\.(?:exit|reallyExit|abort)\(/)).toEqual(EXITS_AT_ONCE.toSorted());
  });

  it('end before the worker exits', () => {
    expect(readFileSync(join(SRC, 'main.worker.ts'), 'utf8')).toContain(
      "runRole('worker', startWorker, exitAfterRuns)",
    );
  });
});
