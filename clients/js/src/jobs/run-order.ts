import { ImageEnhancementError, TimeoutError } from '../errors.js';
import { checkIdempotencyKey } from '../http/checks.js';
import { Deadline } from '../http/deadline.js';
import { newIdempotencyKey } from '../http/idempotency-key.js';
import { abortedError } from '../http/throw-if-aborted.js';
import type { CreateOptions } from '../options.js';
import { abandon } from './abandon.js';
import type { JobCreation } from './job-creation.js';

const TIMEOUT_MS = 600_000;

/** One call that uploads, creates a job and waits for it. */
export interface OrderRun {
  /** Ends when the caller wants it, or when time is over. */
  readonly signal: AbortSignal;
  /** Of the whole call. */
  readonly idempotencyKey: string;
  /** To be set before the job is created, so that no job is left behind that nobody knows of. */
  creation?: JobCreation;
}

/**
 * Does all of a call in its time. When the signal is aborted the job is canceled, so that nobody pays for what nobody
 * wants. Errors carry the key of the whole call, and the job as soon as there is one, so that the same call again goes
 * on with what it has paid for.
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
      failure.jobId ??= run.creation?.job?.id ?? null;
    }
    throw failure;
  } finally {
    deadline.release();
  }
}

/**
 * A job that is waited for goes on, and the error names it. One whose creation was not answered is canceled, since
 * nobody would know of it; under a key of the caller's own it goes on too, for the same call to find it.
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
    creation?.job?.id ?? null,
  );
}

function fateOf(creation: JobCreation | undefined, isCanceled: boolean): string {
  if (creation?.isInDoubt === true) {
    return ` Whether its job was created is not known: the same call with the idempotencyKey ${creation.idempotencyKey} goes on with it.`;
  }
  if (creation === undefined || creation.job === null) return '';
  const { id } = creation.job;
  return isCanceled
    ? ` The job ${id} was canceled.`
    : ` The job ${id} goes on: result(id) waits for it again.`;
}
