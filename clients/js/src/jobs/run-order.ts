import { ImageEnhancementError, TimeoutError } from '../errors.js';
import { abandon } from '../http/abandon.js';
import { checkIdempotencyKey } from '../http/checks.js';
import { Deadline } from '../http/deadline.js';
import { withDoubt } from '../http/doubt.js';
import { newIdempotencyKey } from '../http/idempotency-key.js';
import { abortedError } from '../http/throw-if-aborted.js';
import type { CreateOptions } from '../options.js';
import type { JobCreation } from './job-creation.js';

const TIMEOUT_MS = 600_000;

/** One call that uploads an image, creates a job, and waits for it. */
export interface OrderRun {
  /** Aborted when the caller's signal is, or when the time is over. */
  readonly signal: AbortSignal;
  /** The idempotency key of the whole call. */
  readonly idempotencyKey: string;
  /** Must be set before the job is created, so that no unknown job is left behind. */
  creation?: JobCreation;
}

/**
 * Runs a whole call within its timeout. When the signal is aborted, cancels the job, so that nobody pays for an
 * unwanted result. Errors carry the key of the whole call, and the job once it exists, so that repeating the call
 * continues with what was already paid for.
 */
export async function runOrder<T>(options: CreateOptions, work: (run: OrderRun) => Promise<T>): Promise<T> {
  const { timeoutMs = TIMEOUT_MS, signal } = options;
  const isOwnKey = options.idempotencyKey !== undefined;
  const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
  checkIdempotencyKey(idempotencyKey);
  const deadline = new Deadline(timeoutMs, signal);
  const run: OrderRun = { signal: deadline.signal, idempotencyKey };
  try {
    return await work(run);
  } catch (error) {
    if (signal?.aborted === true) {
      if (run.creation !== undefined) await abandon(run.creation, signal);
      throw abortedError(signal);
    }
    const failure = deadline.isOver ? await timedOut(timeoutMs, run.creation, isOwnKey) : error;
    if (failure instanceof ImageEnhancementError) {
      failure.idempotencyKey = idempotencyKey;
      if (!deadline.isOver) failure.jobId ??= run.creation?.created?.id ?? null;
    }
    throw withDoubt(failure, run.creation);
  } finally {
    deadline.release();
  }
}

/**
 * A job that the call waits for continues, and the error names it. A job whose creation was not confirmed is canceled,
 * because nobody would know its id. With a key of the caller's own, it continues, too: repeating the call finds it.
 */
async function timedOut(
  timeoutMs: number,
  creation: JobCreation | undefined,
  isOwnKey: boolean,
): Promise<TimeoutError> {
  let isCanceled = false;
  if (creation?.isInDoubt === true) {
    if (isOwnKey) await creation.find();
    else isCanceled = await creation.withdraw();
  }
  return new TimeoutError(
    `The image was not enhanced after ${timeoutMs / 1000} s.${fateOf(creation, isCanceled)}`,
    // A canceled job has nothing to wait for.
    isCanceled ? null : (creation?.created?.id ?? null),
  );
}

function fateOf(creation: JobCreation | undefined, isCanceled: boolean): string {
  if (creation?.isInDoubt === true) {
    return ` Whether its job was created is not known: the same call with the idempotencyKey ${creation.idempotencyKey} goes on with it.`;
  }
  if (creation === undefined || creation.created === null) return '';
  const { id } = creation.created;
  return isCanceled
    ? ` The job ${id} was canceled.`
    : ` The job ${id} goes on: result(id) waits for it again.`;
}
