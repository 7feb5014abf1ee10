/** Signals that indicate a bug in the program. */
const FAULTS: ReadonlySet<string | null> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE']);

/**
 * Whether a process that tried a model failed in a way that will repeat; any other failure may be a lack of memory.
 * @param how its signal, or another description of its exit
 */
export function isRepeatableFailure(how: string | null): boolean {
  return FAULTS.has(how);
}
