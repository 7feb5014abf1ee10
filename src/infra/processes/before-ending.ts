import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** A signal that kills a process does so at once. */
const EXIT_MS = 500;

/**
 * Cleans up when a signal asks this process to end while it has no other handlers, because it is starting. The process
 * then ends by that signal, or the first process of a container by the handler of `endOnSignals`.
 * @param clean synchronous
 * @param exit ends the process if it still runs half a second later
 * @returns call it once there is nothing left to clean up
 */
export function beforeEnding(
  clean: () => void,
  exit: (code: number) => unknown = () => undefined,
): () => void {
  const end = (signal: NodeJS.Signals): void => {
    letGo();
    clean();
    process.kill(process.pid, signal);
    setTimeout(() => void exit(128 + constants.signals[signal]), EXIT_MS);
  };
  const letGo = (): void => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return letGo;
}
