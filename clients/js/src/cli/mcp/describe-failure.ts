import {
  ApiError,
  ConnectionError,
  GoneError,
  ImageEnhancementError,
  NotFoundError,
  TimeoutError,
} from '../../errors.js';
import { leavesDoubt } from '../../http/doubt.js';
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
    return isKnown || isLost(error)
      ? text
      : `${text}\nThe job is not lost: get_status continues with the id ${jobId}.`;
  }
  if (error.code === 'idempotency_mismatch' && args['idempotencyKey'] != null) {
    return `${text}\n${mismatchHint(args)}`;
  }
  if (key === null || message.includes(key) || !isInDoubt(error, args)) return text;
  return `${text}\nIt may have been created. The same call with the idempotencyKey ${key} is charged only once.`;
}

/** What to do with a key that belongs to another call: an agent that only took a new one would pay again. */
function mismatchHint({ preset }: Readonly<Record<string, unknown>>): string {
  const change = typeof preset === 'string' ? `, or the preset ${preset} was changed in the meantime` : '';
  return `The first call with this idempotencyKey had other arguments or other files${change}. Nothing was created this time. What the first call created, if anything, is listed in the dashboard. The same call without idempotencyKey creates something new, which is charged.`;
}

/** Whether the service no longer has the job or its result. What a proxy says proves nothing. */
function isLost(error: ImageEnhancementError): boolean {
  const isMissing = error instanceof GoneError || error instanceof NotFoundError;
  return isMissing && error.problem.code !== undefined;
}

/** Whether the service may have created what the call asked for. */
function isInDoubt(error: ImageEnhancementError, args: Readonly<Record<string, unknown>>): boolean {
  if (error.code === 'idempotency_mismatch' || isVerdict(error)) return false;
  if (leavesDoubt(error)) return true;
  // An agent repeats a call with its key. A failure to get as far again says nothing about the call before.
  const isOfService =
    error instanceof ApiError || error instanceof ConnectionError || error instanceof TimeoutError;
  return isOfService && args['idempotencyKey'] != null;
}
