import { AbortedError } from '../errors.js';
import { abortedError } from '../http/throw-if-aborted.js';
import type { JobCreation } from './job-creation.js';

/**
 * Ends a call whose signal is aborted, and cancels its job.
 * @throws AbortedError, with `jobId` or `idempotencyKey` when the job could not be canceled
 */
export async function abandon(creation: JobCreation, signal: AbortSignal): Promise<never> {
  const isCanceled = await creation.withdraw();
  const { job, idempotencyKey } = creation;
  if (isCanceled) {
    throw abortedError(
      signal,
      `The call was aborted.${job === null ? '' : ` The job ${job.id} was canceled.`}`,
    );
  }
  const rest =
    job === null
      ? `It is not known whether its job was created; the idempotency key ${idempotencyKey} leads to it.`
      : `The job ${job.id} could not be canceled.`;
  const error = new AbortedError(`The call was aborted. ${rest}`, job?.id ?? null, { cause: signal.reason });
  error.idempotencyKey = idempotencyKey;
  throw error;
}
