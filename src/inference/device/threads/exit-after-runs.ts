import { setTimeout as sleep } from 'node:timers/promises';
import { endDeviceThreads } from './device-threads.js';

/** Much longer than one run; loading a large model may take longer. */
const WAIT_MS = 10_000;
/** A process that the kernel kills has exited long before. */
const KILLED_MS = 1_000;

/** Process-wide, because a process exits only once. */
let isEnding = false;

/** Whether this process is ending its device threads intentionally, so that their end is not an error. */
export function isExiting(): boolean {
  return isEnding;
}

/**
 * Ends this process with `code` once its device threads are idle. Use it instead of `process.exit` wherever
 * models may be loaded: `process.exit` stops the threads, and a thread that is stopped in the middle of a run
 * aborts the process with another exit code and a C++ error. A process whose threads do not end within
 * `waitMs` kills itself.
 * @param waitMs how long the runs in progress may take
 */
export async function exitAfterRuns(code: number, waitMs = WAIT_MS): Promise<never> {
  // Keep the first code: threads that end on purpose must not replace it.
  if (isEnding) await new Promise<never>(() => undefined);
  isEnding = true;
  const hasEnded = await Promise.race([
    endDeviceThreads().then(() => true),
    sleep(waitMs, false, { ref: true }),
  ]);
  if (hasEnded) process.exit(code);
  process.kill(process.pid, 'SIGKILL');
  // The kernel ignores that signal for the first process of a container.
  await sleep(KILLED_MS);
  process.exit(code);
}
