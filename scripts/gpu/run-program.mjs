import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missesTarget } from '../bench/verdict.mjs';
import { ROOT } from '../lib/paths.mjs';
import { lastJson } from './last-json.mjs';

/** Maximum characters of a program's messages that are kept. */
const MAX_TEXT = 8_000;
const GRACE_MS = 5_000;
/** Signals that end this process and must also end the processes that it started. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program whose last line of standard output is JSON, in its own process group and with its own folder for
 * temporary files. Ends the whole group at the time limit. It has succeeded if it ended with 0 or only missed a target,
 * skipped nothing, and no row of its result has a fault.
 * @param {readonly string[]} command
 * @param {{ env?: Record<string, string>, limitMs: number }} options
 * @returns {Promise<{ ok: boolean, seconds: number, result?: unknown, fault?: string, log: string }>} never rejects.
 * `log` is the end of standard error.
 */
export async function runProgram([program, ...args], { env = {}, limitMs }) {
  const startedMs = performance.now();
  const temporary = temporaryFolder();
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: temporary, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].on('data', (chunk) => {
      output[name] += chunk;
      // The JSON of a long run may be large, so only messages are cut.
      if (name === 'stderr') output.stderr = output.stderr.slice(-MAX_TEXT);
    });
  let isLate = false;
  const timers = [
    setTimeout(() => {
      isLate = true;
      signalGroup(child.pid, 'SIGTERM');
    }, limitMs),
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), limitMs + GRACE_MS),
  ];
  /** @param {NodeJS.Signals} name */
  const endWithGroup = (name) => {
    signalGroup(child.pid, 'SIGKILL');
    remove(temporary);
    process.kill(process.pid, name);
  };
  for (const name of ENDING) process.once(name, endWithGroup);
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ text: error.message }));
    child.once('close', (code, signal) =>
      resolve({ code, text: `ended by ${signal ?? `exit code ${code}`}` }),
    );
  });
  for (const timer of timers) clearTimeout(timer);
  const seconds = Number(((performance.now() - startedMs) / 1_000).toFixed(1));
  remove(temporary);
  for (const name of ENDING) process.off(name, endWithGroup);
  const result = lastJson(output.stdout);
  const fault = isLate ? `did not end within ${Math.round(limitMs / 1_000)} s` : faultOf(result, end);
  const log = fault === undefined ? output.stderr : `${output.stdout.slice(-MAX_TEXT)}${output.stderr}`;
  return { ok: fault === undefined, seconds, result, fault, log };
}

/** PostgreSQL, which runs as another user, must be able to enter the folder. */
function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'ies-step-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** A database may still be stopping. What cannot be removed is left to the system. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch (error) {
    process.stderr.write(`${folder} was not removed: ${error.message}\n`);
  }
}

/** Why a program did not measure everything; undefined when it did. */
function faultOf(result, { code, text }) {
  // Code 1 of a benchmark means that it measured everything and missed a target.
  const end = code === 0 || (code === 1 && missesTarget(result)) ? undefined : text;
  if (result === undefined) return end ?? 'printed no JSON';
  if (result?.skipped !== undefined) return `skipped: ${result.skipped}`;
  const rows = Array.isArray(result) ? result : [];
  const failed = rows.filter((row) => row?.fault !== undefined);
  if (failed.length === 0) return end;
  return `${failed.length} of ${rows.length} rows failed, the first: ${failed[0].fault}`;
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
