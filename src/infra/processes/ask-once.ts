import { fork } from 'node:child_process';

export interface AskOnceOptions {
  readonly env: NodeJS.ProcessEnv;
  /** After this time, the process is killed. */
  readonly limitMs: number;
  /** Kills the process; the promise then rejects with the reason. */
  readonly signal: AbortSignal;
}

/** The outcome of a process that received one message. */
export type OneAnswer =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'late' }
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * Starts a module in a separate process, sends it one message, and waits for one in return. The process never outlives
 * the call.
 * @throws the reason of the signal, or why the process did not start
 */
export async function askOnce(
  module: string,
  question: object,
  { env, limitMs, signal }: AskOnceOptions,
): Promise<OneAnswer> {
  signal.throwIfAborted();
  const child = fork(module, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const kill = () => child.kill('SIGKILL');
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    kill();
  }, limitMs);
  signal.addEventListener('abort', kill);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('message', (answer) => resolve({ kind: 'answered', answer }));
      child.once('exit', (code, how) => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve(isLate ? { kind: 'late' } : { kind: 'exited', code, signal: how });
      });
      child.send(question);
    });
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', kill);
    kill();
  }
}
