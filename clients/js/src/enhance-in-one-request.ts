import { type OrderOptions, UPLOADING, waitWithProgress } from './enhance.js';
import { ApiError } from './errors.js';
import { type FileInput, readFileInput } from './files/file-input.js';
import { fileWithProgress, type UploadProgress } from './files/file-with-progress.js';
import type { Transport } from './http/transport.js';
import { checkOrder } from './jobs/check-order.js';
import { JobCreation } from './jobs/job-creation.js';
import type { Jobs } from './jobs/jobs.js';
import type { JobTerms } from './jobs/order.js';
import { runOrder } from './jobs/run-order.js';
import { EnhanceResult } from './result.js';

/**
 * Sends the file with the order and reads the image from the response: one request instead of four. If the job takes
 * longer than the service holds the response, the client waits for the job and then reads the result.
 */
export async function enhanceInOneRequest(
  transport: Transport,
  jobs: Jobs,
  image: FileInput,
  options: JobTerms & OrderOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  checkOrder(options);
  const {
    signal: _outer,
    timeoutMs: _whole,
    onProgress,
    maxRetries,
    idempotencyKey: _own,
    ...terms
  } = options;
  return runOrder(options, async (run) => {
    const { signal, idempotencyKey } = run;
    onProgress?.(UPLOADING);
    const tell =
      onProgress &&
      (({ sentBytes, totalBytes }: UploadProgress) =>
        onProgress({ ...UPLOADING, progress: totalBytes === 0 ? 0 : sentBytes / totalBytes }));
    const file = fileWithProgress(await readFileInput(image, transport.platform, signal), tell);
    const form = formOf(terms, file);
    run.creation = new JobCreation(transport, form, idempotencyKey);
    const answer = await run.creation.runForImage({ signal, maxRetries }).catch((error: unknown) => {
      // The job has failed. Waiting for it gives the reason.
      if (error instanceof ApiError && error.problem.jobId !== undefined) return error.problem.jobId;
      throw error;
    });
    if (typeof answer !== 'string') return answer;
    const job = await waitWithProgress(jobs, answer, { signal, onProgress });
    return new EnhanceResult(transport, jobs, job).bytes({ signal, maxRetries });
  });
}

/** Text fields as they are, all others as JSON. */
function formOf(terms: JobTerms, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(terms)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.set('file', file, file.name);
  return form;
}
