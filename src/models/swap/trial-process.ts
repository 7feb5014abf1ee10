import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { deviceEnvironment } from '../../config/child-environment.js';
import { isRepeatableFailure } from '../check/repeatable-failure.js';
import type { ModelFault } from './model-fault.js';
import type { TrialRequest } from './trial.js';

/** Far longer than any sound model takes to load and to run once. */
const LIMIT_MS = 300_000;

/**
 * Tries a version in a process of its own.
 * @param signal ends the trial; the promise then rejects
 * @returns why it cannot serve, or null when it runs
 */
export async function runTrialInProcess(
  order: TrialRequest,
  signal: AbortSignal,
): Promise<ModelFault | null> {
  signal.throwIfAborted();
  const child = fork(fileURLToPath(new URL('../../main.model-trial.js', import.meta.url)), [], {
    env: deviceEnvironment(),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    kill();
  }, LIMIT_MS);
  signal.addEventListener('abort', kill);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('message', ({ fault }: { fault: ModelFault | null }) => resolve(fault));
      child.once('exit', (code, how) => {
        const reason = isLate
          ? `it was not ready after ${LIMIT_MS / 1000} s; make it smaller`
          : `it ended the process that tried it (${how ?? `exit code ${code}`})${advice(how)}`;
        if (signal.aborted) reject(signal.reason as Error);
        else resolve({ reason, isTransient: isLate || !isRepeatableFailure(how) });
      });
      child.send(order);
    });
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

function advice(how: NodeJS.Signals | null): string {
  return how === 'SIGKILL' ? '; most likely it wants more memory than there is' : '';
}
