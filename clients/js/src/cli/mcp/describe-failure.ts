import { ApiError, ConnectionError, ImageEnhancementError, TimeoutError } from '../../errors.js';
import { isVerdict } from '../../http/unacknowledged-attempts.js';
import { describeError } from '../describe-error.js';

/**
 * Describes an error to an agent. When a job remains, or may remain, says how to continue with it: an agent that only
 * repeated its call would pay again.
 * @param args of the call
 */
export function describeFailure(error: unknown, args: Readonly<Record<string, unknown>>): string {
  const text = describeError(error);
  if (!(error instanceof ImageEnhancementError)) return text;
  const { jobId, idempotencyKey: key, message } = error;
  if (jobId !== null) {
    const isKnown = message.includes(jobId) || args['id'] === jobId;
    return isKnown ? text : `${text}\nThe job is not lost: get_status continues with the id ${jobId}.`;
  }
  if (key === null || message.includes(key) || !isInDoubt(error)) return text;
  return `${text}\nIt may have been created. The same call with the idempotencyKey ${key} is charged only once.`;
}

/** Whether the service may have created what the call asked for. */
function isInDoubt(error: ImageEnhancementError): boolean {
  if (error.code === 'idempotency_mismatch' || isVerdict(error)) return false;
  return error instanceof ApiError || error instanceof ConnectionError || error instanceof TimeoutError;
}
