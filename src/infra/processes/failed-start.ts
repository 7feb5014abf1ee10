import { constants } from 'node:os';
import { STOP_SIGNALS } from './ignore-stop-signals.js';

/**
 * Signals from outside. A confined program ignores the others, but the programs that confine it do not, and
 * neither does the program while it starts.
 */
const KILLING: readonly NodeJS.Signals[] = ['SIGKILL', ...STOP_SIGNALS];

/** A shell reports a signal as 128 plus its number. */
const KILLED_CODES: ReadonlySet<number | null> = new Set(
  KILLING.map((signal) => 128 + constants.signals[signal]),
);

/** Whether a process was killed from outside, most likely because memory ran out or the service stops. */
export function wasKilled(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === null ? KILLED_CODES.has(code) : KILLING.includes(signal);
}

/** Whether `spawn` failed because the machine lacks the command. Other errors, such as `EAGAIN`, may pass. */
export function isMissingCommand({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOENT' || code === 'EACCES';
}
