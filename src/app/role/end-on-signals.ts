import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Lets the first process of a container be stopped before it has its own handlers, while it loads, connects or
 * migrates. These signals end other processes by default, but the kernel ignores them for process 1 without a handler.
 * A handler that is added later replaces this one for as long as it is registered.
 * @param exit called with 128 plus the number of the signal
 */
export function endOnSignals(exit: (code: number) => unknown = (code) => process.exit(code)): void {
  if (process.pid !== 1) return;
  for (const signal of SIGNALS) {
    const end = (): void => {
      if (process.listeners(signal).at(-1) === end) exit(128 + constants.signals[signal]);
    };
    process.on(signal, end);
  }
}
