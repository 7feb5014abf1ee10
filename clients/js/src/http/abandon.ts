import { AbortedError } from '../errors.js';
import type { RequestOptions } from '../options.js';
import type { Creation } from './creation.js';
import { withDoubt } from './doubt.js';
import { abortedError } from './throw-if-aborted.js';

/** Creates a job or a batch. @throws as `abandon` when the signal is aborted meanwhile */
export async function createOrAbandon<T extends { readonly id: string }>(
  creation: Creation<T>,
  options: RequestOptions,
  onResponse: (response: Response) => void,
): Promise<T> {
  try {
    return await creation.run(options, onResponse);
  } catch (error) {
    if (options.signal?.aborted === true) return abandon(creation, options.signal);
    throw withDoubt(error, creation);
  }
}

/**
 * Ends a call whose signal is aborted, and cancels what it has created.
 * @throws AbortedError, with `jobId` or `idempotencyKey` when that could not be canceled
 */
export async function abandon(
  creation: Creation<{ readonly id: string }>,
  signal: AbortSignal,
): Promise<never> {
  const isCanceled = await creation.withdraw();
  const { kind, created, idempotencyKey } = creation;
  if (isCanceled) {
    throw abortedError(
      signal,
      `The call was aborted.${created === null ? '' : ` The ${kind} ${created.id} was canceled.`}`,
    );
  }
  const rest =
    created === null
      ? `It is not known whether its ${kind} was created; the idempotency key ${idempotencyKey} leads to it.`
      : `The ${kind} ${created.id} could not be canceled.`;
  const jobId = kind === 'job' && created !== null ? created.id : null;
  const error = new AbortedError(`The call was aborted. ${rest}`, jobId, { cause: signal.reason });
  error.idempotencyKey = idempotencyKey;
  throw error;
}
