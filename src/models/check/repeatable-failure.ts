/** Signals that end a program for a fault of its own. */
const FAULTS: ReadonlySet<string | null> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE']);

/**
 * Whether a process that tried a model ended in a way that comes again; any other end may be want of memory.
 * @param how its signal, or whatever else is told of its end
 */
export function isRepeatableFailure(how: string | null): boolean {
  return FAULTS.has(how);
}
