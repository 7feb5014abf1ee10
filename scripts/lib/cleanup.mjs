const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** A terminal and npm both send the signal of one Ctrl-C. */
const REPEAT_MS = 1_000;

/** Cleanups that have not ended, in the order of their registration. */
const due = new Set();
let interruptedMs;

/** Whether a signal is about to end this process. Errors of the interrupted work then mean nothing. */
export function isInterrupted() {
  return interruptedMs !== undefined;
}

/**
 * Registers the cleanup of files, containers and processes that would outlive this process. After SIGINT, SIGTERM or
 * SIGHUP, cleanups run, the last one first, and then the signal ends the process. A second signal ends it at once.
 * @param {() => unknown} cleanup may run while what it cleans up is still being started or used
 * @returns {() => Promise<void>} runs the cleanup, once
 */
export function cleanupOnce(cleanup) {
  let running;
  const run = () =>
    (running ??= (async () => cleanup())().finally(() => {
      due.delete(run);
      if (due.size === 0 && !isInterrupted())
        for (const signal of SIGNALS) process.off(signal, endAfterCleanup);
    }));
  if (due.size === 0 && !isInterrupted()) for (const signal of SIGNALS) process.on(signal, endAfterCleanup);
  due.add(run);
  return run;
}

/**
 * Runs the cleanup after the work, even if a signal interrupts it.
 * @template T
 * @param {() => Promise<T>} work
 * @param {() => unknown} cleanup
 * @returns {Promise<T>}
 */
export async function withCleanup(work, cleanup) {
  const run = cleanupOnce(cleanup);
  try {
    return await work();
  } finally {
    await run();
  }
}

function endAfterCleanup(signal) {
  void onSignal(signal);
}

async function onSignal(signal) {
  if (isInterrupted()) {
    if (performance.now() - interruptedMs > REPEAT_MS) end(signal);
    return;
  }
  interruptedMs = performance.now();
  // The work goes on without what is being removed.
  for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => undefined);
  while (due.size > 0) {
    try {
      await [...due].at(-1)();
    } catch (error) {
      process.stderr.write(`${error?.stack ?? error}\n`);
    }
  }
  end(signal);
}

function end(signal) {
  for (const each of SIGNALS) process.off(each, endAfterCleanup);
  process.kill(process.pid, signal);
}
