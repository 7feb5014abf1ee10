import {
  AuthenticationError,
  ConnectionError,
  ImageEnhancementError,
  PermissionError,
  QuotaExceededError,
} from '../errors.js';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  key: 3,
  quota: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

/** The exit code that identifies the error to scripts. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof AuthenticationError || error instanceof PermissionError) return EXIT.key;
  if (error instanceof QuotaExceededError) return EXIT.quota;
  if (error instanceof ConnectionError) return EXIT.unreachable;
  if (!(error instanceof ImageEnhancementError)) return EXIT.failed;
  return ['missing_api_key', 'invalid_api_key', 'missing_base_url', 'invalid_base_url'].includes(error.code)
    ? EXIT.usage
    : EXIT.failed;
}

/** Combines several exit codes: the common one if all are equal, otherwise "something failed". */
export function commonExitCode(codes: readonly number[]): number {
  const kinds = new Set(codes);
  if (kinds.size === 0) return EXIT.done;
  return kinds.size === 1 ? [...kinds][0]! : EXIT.failed;
}
