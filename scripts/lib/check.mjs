import { spawn } from 'node:child_process';
import { join } from 'node:path';
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

/**
 * Runs a Node.js program to its end. SIGINT and SIGTERM end the program and then, once the caller has cleaned up, this
 * process: nothing else starts, and the program does not count as failed.
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
    const onSignal = (signal) => {
      // Ctrl-C also reaches the child. Wait until it has cleaned up.
      if (signal === 'SIGTERM' && interruption?.signal !== 'SIGTERM') child.kill(signal);
      if (interruption?.signal !== 'SIGTERM') interruption = new Interruption(signal);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      if (interruption === undefined) return resolve({ code: code ?? 1, output });
      reject(interruption);
      // After the callers' cleanup. While another program runs, its end is awaited, which sends the signal again.
      setImmediate(() => process.kill(process.pid, interruption.signal));
    });
  });
}
