import { type FileInput, type ImageInput, uploadedAddress } from './files/file-input.js';
import type { CreateJob, Job } from './generated/schema.js';
import { newIdempotencyKey } from './http/idempotency-key.js';
import type { Transport } from './http/transport.js';
import type { Jobs } from './jobs/jobs.js';
import type { WaitOptions } from './jobs/wait-for-job.js';
import { upload } from './upload.js';

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
  /** Upload, work and waiting together. Default: ten minutes for the work; the rest as of the client. */
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
  const { signal, timeoutMs, onProgress, idempotencyKey, ...order } = options;
  const startedMs = performance.now();
  const key = idempotencyKey ?? newIdempotencyKey();
  const limits = { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  let sourceUrl = uploadedAddress(image);
  if (sourceUrl === undefined) {
    onProgress?.({ phase: 'uploading', progress: 0, queuePosition: null, job: null });
    const source = await upload(transport, image as FileInput, {
      ...limits,
      idempotencyKey: `${key}-upload`,
    });
    sourceUrl = source.url;
  }
  const job = await jobs.create({ ...order, sourceUrl }, { ...limits, idempotencyKey: key });
  try {
    const restMs =
      timeoutMs === undefined ? undefined : Math.max(1, timeoutMs - (performance.now() - startedMs));
    return await jobs.wait(job.id, {
      signal,
      timeoutMs: restMs,
      onProgress: ({ job: now, queuePosition }) =>
        onProgress?.({ phase: now.status, progress: now.progress, queuePosition, job: now }),
    });
  } catch (error) {
    if (signal?.aborted === true) {
      // Best effort: it may have ended meanwhile, or there may be no connection.
      await jobs.cancel(job.id, { timeoutMs: CANCEL_MS, maxRetries: 0 }).catch(() => undefined);
    }
    throw error;
  }
}
