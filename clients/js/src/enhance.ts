import { ImageEnhancementError, TimeoutError } from './errors.js';
import { type FileInput, type ImageInput, uploadedAddress } from './files/file-input.js';
import type { Job } from './generated/schema.js';
import { Deadline } from './http/deadline.js';
import { checkIdempotencyKey } from './http/checks.js';
import { newIdempotencyKey, uploadKeyOf } from './http/idempotency-key.js';
import { abortedError } from './http/throw-if-aborted.js';
import type { Transport } from './http/transport.js';
import { abandon } from './jobs/abandon.js';
import { JobCreation } from './jobs/job-creation.js';
import type { Jobs } from './jobs/jobs.js';
import type { JobOrder } from './jobs/order.js';
import type { WaitOptions } from './jobs/wait-for-job.js';
import { upload } from './upload.js';

const TIMEOUT_MS = 600_000;

/** How far an enhancement is. */
export interface EnhanceProgress {
  readonly phase: 'uploading' | 'queued' | 'processing' | 'completed' | 'failed';
  /** 0 to 1. */
  readonly progress: number;
  /** Jobs before this one, plus one, while it is queued and if the service says so. */
  readonly queuePosition: number | null;
  /** Null while the image is uploaded. */
  readonly job: Job | null;
}

/** What to do with an image. */
export interface EnhanceOptions extends Omit<JobOrder, 'sourceUrl'>, Pick<WaitOptions, 'signal'> {
  /** For upload, work and waiting together. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: EnhanceProgress) => void) | undefined;
  /** As of the client, for each request of this call. */
  readonly maxRetries?: number | undefined;
  /** As in `CreateOptions`, for upload and job. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Uploads an image unless it is there already, creates the job and waits for its end. When the signal is aborted
 * the job is canceled, so that nobody pays for what nobody wants. Errors carry the key of the whole call, and the job
 * as soon as there is one, so that the same call again goes on with what it has paid for.
 */
export async function enhance(
  transport: Transport,
  jobs: Jobs,
  image: ImageInput,
  options: EnhanceOptions,
): Promise<Job> {
  const { timeoutMs = TIMEOUT_MS, signal, maxRetries } = options;
  const isOwnKey = options.idempotencyKey !== undefined;
  const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
  checkIdempotencyKey(idempotencyKey);
  const deadline = new Deadline(timeoutMs, signal);
  let creation: JobCreation | undefined;
  try {
    creation = await prepare(transport, image, { ...options, idempotencyKey, signal: deadline.signal });
    const { id } = await creation.run({ signal: deadline.signal, maxRetries });
    return await jobs.wait(id, {
      signal: deadline.signal,
      timeoutMs: Infinity,
      onProgress: ({ job: now, queuePosition }) =>
        options.onProgress?.({ phase: now.status, progress: now.progress, queuePosition, job: now }),
    });
  } catch (error) {
    if (signal?.aborted === true) {
      if (creation !== undefined) await abandon(creation, signal);
      throw abortedError(signal);
    }
    const failure = deadline.isOver ? await timedOut(timeoutMs, creation, isOwnKey) : error;
    if (failure instanceof ImageEnhancementError) {
      failure.idempotencyKey = idempotencyKey;
      failure.jobId ??= creation?.job?.id ?? null;
    }
    throw failure;
  } finally {
    deadline.release();
  }
}

/** Uploads if needed; the job is then ready to be created. */
async function prepare(
  transport: Transport,
  image: ImageInput,
  options: EnhanceOptions & { readonly idempotencyKey: string },
): Promise<JobCreation> {
  const { signal, timeoutMs: _wholeMs, onProgress, maxRetries, idempotencyKey: key, ...order } = options;
  let sourceUrl = uploadedAddress(image);
  if (sourceUrl === undefined) {
    onProgress?.({ phase: 'uploading', progress: 0, queuePosition: null, job: null });
    const idempotencyKey = await uploadKeyOf(key);
    const source = await upload(transport, image as FileInput, { signal, maxRetries, idempotencyKey });
    sourceUrl = source.url;
  }
  return new JobCreation(transport, { ...order, sourceUrl }, key);
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
