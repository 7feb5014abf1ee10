import { spawn } from 'node:child_process';
import { join } from 'node:path';
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
 * Runs a Node.js program to its end. Signals that end this process also end the program.
 * @param {readonly string[]} command
 * @param {'collect' | 'show'} mode
 * @param {Record<string, string>} env additional environment variables
 * @returns {Promise<{ code: number, output: string }>}
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
    // Ctrl-C also reaches the child. Wait until it has cleaned up.
    const onInterrupt = () => undefined;
    const onTerminate = () => child.kill('SIGTERM');
    process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
      resolve({ code: code ?? 1, output });
    });
  });
}
