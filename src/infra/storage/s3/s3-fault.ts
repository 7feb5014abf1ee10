import { AppError } from '../../../kernel/app-error.js';
import { storageUnavailable } from '../storage-fault.js';

interface ServiceFault {
  readonly name: string;
  readonly message: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Error names for a missing object. `NotFound` is for responses to `HEAD`, which have no body with a better name. */
const MISSING: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound']);

/** Whether the store reports that the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && MISSING.has(error.name);
}

/** Whether the store refused a conditional request because its condition was false. */
export function isConditionRefused(error: unknown): boolean {
  return statusOf(error) === 412 || statusOf(error) === 409;
}

/** Whether the store refused the request itself: its credentials, its policy or its region. */
export function isRefused(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status >= 300 && status < 500;
}

/**
 * Translates the error of a failed request: a missing object becomes `gone`, every other error of the store or the
 * network `service_unavailable`. That includes refused credentials and a missing bucket, so that jobs wait for the
 * operator instead of failing.
 */
export function refuseStoreFault(error: unknown): never {
  if (error instanceof AppError) throw error;
  if (isMissing(error)) throw new AppError('gone', { internal: 'the object is missing', cause: error });
  throw storageUnavailable(`the object store failed: ${describe(error)}`, error);
}

function describe(error: unknown): string {
  const { name, message } =
    error instanceof Error ? (error as ServiceFault) : { name: '', message: String(error) };
  const status = statusOf(error);
  return [name, status === undefined ? '' : `(${status})`, message].filter((part) => part !== '').join(' ');
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error ? (error as ServiceFault).$metadata?.httpStatusCode : undefined;
}
