import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { descendantsOf, isAlive } from './child-processes.mjs';
import { Interruption } from './interruption.mjs';
import { NODE_MODULES, ROOT } from './paths.mjs';

/**
 * Runs one check and reports the outcome in one line. Its output is shown only if it failed.
 * @param {string} name
 * @param {readonly string[]} command a Node.js program (absolute, or relative to the repository) and its arguments
 * @returns {Promise<boolean>} whether it passed
 */
export async function runCheck(name, command) {
  const startedMs = performance.now();
  const { code, output } = await runNode(command, 'collect');
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  if (code !== 0) process.stdout.write(output);
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
  return code === 0;
}

/** Path of a program in an npm package. */
export function packageBin(...path) {
  return join(NODE_MODULES, ...path);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** How long the processes of an interrupted program may take to clean up. */
const CLEANUP_MS = 15_000;

/**
 * Runs a Node.js program to its end. SIGINT, SIGTERM and SIGHUP end the program with every process that it has started
 * (vitest would leave its test processes behind), and then, once the caller has cleaned up, this process: nothing else
 * starts, and the program does not count as failed.
 * @param {readonly string[]} command
 * @param {'collect' | 'show'} mode
 * @param {Record<string, string>} env additional environment variables
 * @returns {Promise<{ code: number, output: string }>}
 * @throws Interruption after such a signal
 */
export function runNode(command, mode, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', mode === 'show' ? 'inherit' : 'pipe', mode === 'show' ? 'inherit' : 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    }
    let interruption;
    let below = [];
    const onSignal = (signal) => {
      if (interruption !== undefined && interruption.signal !== 'SIGINT') return;
      interruption = new Interruption(signal);
      // Ctrl-C has reached them all.
      if (signal === 'SIGINT') return;
      below = descendantsOf(child.pid);
      for (const pid of [child.pid, ...below.map((each) => each.pid)]) sendSignal(pid, signal);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    const onClose = async (code) => {
      await allEnded(below);
      for (const signal of SIGNALS) process.off(signal, onSignal);
      if (interruption === undefined) return resolve({ code: code ?? 1, output });
      reject(interruption);
      // After the callers' cleanup. While another program runs, its end is awaited, which sends the signal again.
      setImmediate(() => process.kill(process.pid, interruption.signal));
    };
    child.once('error', reject).once('close', (code) => void onClose(code));
  });
}

/** Waits until these processes have cleaned up, and kills those that take too long. */
async function allEnded(processes) {
  const deadlineMs = performance.now() + CLEANUP_MS;
  let left = processes;
  while (left.length > 0 && performance.now() < deadlineMs) {
    await setTimeout(50);
    left = left.filter(isAlive);
  }
  for (const { pid } of left) sendSignal(pid, 'SIGKILL');
}

function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended.
    if (error.code !== 'ESRCH') throw error;
  }
}
