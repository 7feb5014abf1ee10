import { spawn } from 'node:child_process';
import { ROOT } from '../lib/paths.mjs';

/** Maximum characters of a program's messages that are kept. */
const MAX_TEXT = 8_000;
const GRACE_MS = 5_000;
/** Signals that end this process and must also end the processes that it started. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program whose last line of standard output is JSON, in its own process group. Ends the whole group at the time
 * limit.
 * @param {readonly string[]} command
 * @param {{ env?: Record<string, string>, limitMs: number }} options
 * @returns {Promise<{ ok: boolean, seconds: number, result?: unknown, fault?: string, log: string }>} never rejects.
 * `log` is the end of standard error.
 */
export async function runProgram([program, ...args], { env = {}, limitMs }) {
  const startedMs = performance.now();
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
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
    process.kill(process.pid, name);
  };
  for (const name of ENDING) process.once(name, endWithGroup);
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended by ${signal ?? `exit code ${code}`}`),
    );
  });
  for (const timer of timers) clearTimeout(timer);
  for (const name of ENDING) process.off(name, endWithGroup);
  const seconds = Number(((performance.now() - startedMs) / 1_000).toFixed(1));
  const result = lastJson(output.stdout);
  const fault = isLate
    ? `did not end within ${Math.round(limitMs / 1_000)} s`
    : (end ?? (result === undefined ? 'printed no JSON' : undefined));
  const log = fault === undefined ? output.stderr : `${output.stdout.slice(-MAX_TEXT)}${output.stderr}`;
  return { ok: fault === undefined, seconds, result, fault, log };
}

function lastJson(text) {
  const whole = parsed(text);
  return whole ?? parsed(text.trimEnd().split('\n').at(-1) ?? '');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
