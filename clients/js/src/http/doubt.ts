import type { Creation } from './creation.js';

/** Errors of calls that may have created something whose id is unknown. */
const inDoubt = new WeakSet<object>();

/** Notes on the error of a call whether what it wanted to create may exist. @returns the error */
export function withDoubt(error: unknown, creation: Creation<{ readonly id: string }> | undefined): unknown {
  if (creation?.isInDoubt === true && error instanceof Error) inDoubt.add(error);
  return error;
}

/** Whether the call that failed with this error may have created something. */
export function leavesDoubt(error: Error): boolean {
  return inDoubt.has(error);
}
