import { type Job, JobFailedError } from 'image-enhancement-client';
import { isPassing } from 'image-enhancement-client/http/retry-budget.js';
import { client } from '../client.js';

/**
 * Follows a job to its end. Continues through long outages of the service, because the job itself continues.
 * @param onJob called with each state, including the last one
 * @returns the job that has ended
 * @throws ApiError when the job cannot be read and waiting cannot help; the reason of the signal
 */
export async function followJob(id: string, onJob: (job: Job) => void, signal: AbortSignal): Promise<Job> {
  for (;;) {
    try {
      return await client().jobs.wait(id, {
        signal,
        timeoutMs: Infinity,
        onProgress: ({ job }) => onJob(job),
      });
    } catch (error) {
      if (error instanceof JobFailedError) return error.job;
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
    }
  }
}
