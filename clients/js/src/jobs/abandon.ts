import { AbortedError } from '../errors.js';
import type { JobCreation } from './job-creation.js';

/**
 * Ends a call whose signal is aborted, with no job left behind.
 * @throws the reason of the signal; AbortedError when the service could not be told
 */
export async function abandon(creation: JobCreation, signal: AbortSignal): Promise<never> {
  if (await creation.withdraw()) signal.throwIfAborted();
  const { job, idempotencyKey } = creation;
  const rest =
    job === null
      ? `It is not known whether its job was created; the idempotency key ${idempotencyKey} leads to it.`
      : `The job ${job.id} could not be canceled.`;
  const error = new AbortedError(`The call was aborted. ${rest}`, job?.id ?? null, { cause: signal.reason });
  error.idempotencyKey = idempotencyKey;
  throw error;
}
