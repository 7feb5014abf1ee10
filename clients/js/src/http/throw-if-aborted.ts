import { AbortedError } from '../errors.js';

/** @throws AbortedError with the signal's reason as its cause */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedError(signal);
}

/** The error for a call whose signal was aborted and that left nothing behind in the service. */
export function abortedError(signal: AbortSignal, message = 'The call was aborted.'): AbortedError {
  return new AbortedError(message, null, { cause: signal.reason });
}
