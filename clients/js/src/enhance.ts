import { type FileInput, type ImageInput, sourceAddress, webAddress } from './files/file-input.js';
import type { Job } from './generated/schema.js';
import { uploadKeyOf } from './http/idempotency-key.js';
import type { Transport } from './http/transport.js';
import { checkOrder } from './jobs/check-order.js';
import { JobCreation } from './jobs/job-creation.js';
import type { Jobs } from './jobs/jobs.js';
import type { JobTerms } from './jobs/order.js';
import { runOrder } from './jobs/run-order.js';
import type { CreateOptions, SendOptions } from './options.js';
import { upload } from './upload.js';

/** The progress of an enhancement. */
export interface EnhanceProgress {
  readonly phase: 'uploading' | 'queued' | 'processing' | 'completed' | 'failed';
  /** 0 to 1, within the phase. During the upload: the fraction of the file that was sent. */
  readonly progress: number;
  /** The number of jobs ahead, plus one, while the job is queued and if the service reports it. */
  readonly queuePosition: number | null;
  /** Null while the image is being uploaded. */
  readonly job: Job | null;
}

/**
 * Options of a call that uploads, creates a job, and waits. `timeoutMs` applies to the whole call; default: ten
 * minutes.
 */
export interface OrderOptions extends CreateOptions {
  readonly onProgress?: ((progress: EnhanceProgress) => void) | undefined;
}

/** What to do with an image, and the options of the call. */
export type EnhanceOptions = JobTerms & OrderOptions & SendOptions;

export const UPLOADING: EnhanceProgress = {
  phase: 'uploading',
  progress: 0,
  queuePosition: null,
  job: null,
};

/**
 * Uploads an image unless it is already uploaded, creates the job, and waits for its end.
 * @throws ImageEnhancementError `invalid_option`; all others come from its parts
 */
export async function enhance(
  transport: Transport,
  jobs: Jobs,
  image: ImageInput,
  options: EnhanceOptions,
): Promise<Job> {
  checkOrder(options);
  const {
    signal: _outer,
    timeoutMs: _whole,
    onProgress,
    maxRetries,
    idempotencyKey: _own,
    direct,
    ...terms
  } = options;
  return runOrder(options, async (run) => {
    const { signal, idempotencyKey } = run;
    let sourceUrl = sourceAddress(image);
    if (sourceUrl === undefined) {
      onProgress?.(UPLOADING);
      const uploadKey = await uploadKeyOf(idempotencyKey);
      const file = webAddress(image) ?? (image as FileInput);
      const source = await upload(transport, file, {
        signal,
        maxRetries,
        idempotencyKey: uploadKey,
        direct,
        onProgress:
          onProgress &&
          (({ sentBytes, totalBytes }) =>
            onProgress({ ...UPLOADING, progress: totalBytes === 0 ? 0 : sentBytes / totalBytes })),
      });
      sourceUrl = source.url;
    }
    run.creation = new JobCreation(transport, { ...terms, sourceUrl }, idempotencyKey);
    const { id } = await run.creation.run({ signal, maxRetries });
    return waitWithProgress(jobs, id, { signal, onProgress });
  });
}

/** Waits for a job as long as the signal is not aborted. @throws the errors of `jobs.wait` */
export function waitWithProgress(
  jobs: Jobs,
  id: string,
  { signal, onProgress }: { readonly signal: AbortSignal } & Pick<OrderOptions, 'onProgress'>,
): Promise<Job> {
  return jobs.wait(id, {
    signal,
    timeoutMs: Infinity,
    onProgress: ({ job, queuePosition }) =>
      onProgress?.({ phase: job.status, progress: job.progress, queuePosition, job }),
  });
}
