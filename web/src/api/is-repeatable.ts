import { CancelledError } from '@tanstack/react-query';
import { isRefused } from './problem.js';

/** For `invalidateQueries`: reports the error of a read, which it otherwise ignores. */
export const REPORTED = { throwOnError: true } as const;

/**
 * Whether a failed refresh may succeed later. A hidden page does not repeat it, because it reads everything again when
 * it is shown.
 */
export function isRepeatable(error: unknown): boolean {
  if (document.hidden || error instanceof CancelledError) return false;
  return !(error instanceof Error && isRefused(error));
}
