import { TimeoutError } from './errors.js';
import { type FileInput, type ImageInput, uploadedAddress } from './files/file-input.js';
import type { CreateJob, Job } from './generated/schema.js';
import { Deadline } from './http/deadline.js';
import { newIdempotencyKey } from './http/idempotency-key.js';
import type { Transport } from './http/transport.js';
import type { Jobs } from './jobs/jobs.js';
import type { WaitOptions } from './jobs/wait-for-job.js';
import { upload } from './upload.js';

const TIMEOUT_MS = 600_000;
const CANCEL_MS = 2_000;

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
export interface EnhanceOptions extends Omit<CreateJob, 'sourceUrl'>, Pick<WaitOptions, 'signal'> {
  /** For upload, work and waiting together. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: EnhanceProgress) => void) | undefined;
  /** As in `CreateOptions`, for upload and job. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Uploads an image unless it is there already, creates the job and waits for its end. When the signal is aborted
 * the job is canceled, so that nobody pays for what nobody wants.
 */
export async function enhance(
  transport: Transport,
  jobs: Jobs,
  image: ImageInput,
  options: EnhanceOptions,
): Promise<Job> {
  const { timeoutMs = TIMEOUT_MS, signal } = options;
  const deadline = new Deadline(timeoutMs, signal);
  let jobId: string | null = null;
  try {
    const job = await start(transport, jobs, image, { ...options, signal: deadline.signal });
    jobId = job.id;
    return await jobs.wait(jobId, {
      signal: deadline.signal,
      timeoutMs: Infinity,
      onProgress: ({ job: now, queuePosition }) =>
        options.onProgress?.({ phase: now.status, progress: now.progress, queuePosition, job: now }),
    });
  } catch (error) {
    if (signal?.aborted === true && jobId !== null) {
      // Best effort: it may have ended meanwhile, or there may be no connection.
      await jobs.cancel(jobId, { timeoutMs: CANCEL_MS, maxRetries: 0 }).catch(() => undefined);
    }
    signal?.throwIfAborted();
    if (!deadline.isOver) throw error;
    const rest = jobId === null ? '' : ` The job ${jobId} goes on: result(id) waits for it again.`;
    throw new TimeoutError(`The image was not enhanced after ${timeoutMs / 1000} s.${rest}`, jobId);
  } finally {
    deadline.release();
  }
}

/** Uploads if needed, and creates the job. */
async function start(
  transport: Transport,
  jobs: Jobs,
  image: ImageInput,
  options: EnhanceOptions,
): Promise<Job> {
  const { signal, timeoutMs: _wholeMs, onProgress, idempotencyKey, ...order } = options;
  const key = idempotencyKey ?? newIdempotencyKey();
  let sourceUrl = uploadedAddress(image);
  if (sourceUrl === undefined) {
    onProgress?.({ phase: 'uploading', progress: 0, queuePosition: null, job: null });
    const source = await upload(transport, image as FileInput, { signal, idempotencyKey: `${key}-upload` });
    sourceUrl = source.url;
  }
  return jobs.create({ ...order, sourceUrl }, { signal, idempotencyKey: key });
}
