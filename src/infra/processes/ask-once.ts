import { spawn } from 'node:child_process';
import { memoryLimitedCommand } from './memory-limited-command.js';

export interface AskOnceOptions {
  readonly env: NodeJS.ProcessEnv;
  /** After this time, the process is killed. */
  readonly limitMs: number;
  /** Kills the process; the promise then rejects with the reason. */
  readonly signal: AbortSignal;
  /** Memory limit, enforced by the kernel on Linux. Without one, there is no limit. */
  readonly memoryLimitBytes?: number | undefined;
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
  { env, limitMs, signal, memoryLimitBytes }: AskOnceOptions,
): Promise<OneAnswer> {
  signal.throwIfAborted();
  const program = [process.execPath, module];
  const [command, args] =
    memoryLimitBytes === undefined
      ? [program[0]!, [module]]
      : memoryLimitedCommand(memoryLimitBytes, program);
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
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
