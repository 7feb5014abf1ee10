import { API_BASE, request } from './http.js';
import { hasEnded, type Job } from './job.js';

/** While the service has no room for one more stream, the job itself is asked for this often. */
const ASK_AGAIN_MS = 1_500;

/**
 * Follows a job to its end by server-sent events.
 * @param onJob told each state, the last one included
 * @returns the job that has ended
 * @throws ApiError when the job cannot be read; DOMException `AbortError` when the signal says so
 */
export function followJob(id: string, onJob: (job: Job) => void, signal: AbortSignal): Promise<Job> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(`${API_BASE}/jobs/${id}/events`);
    const end = (settle: () => void) => {
      source.close();
      settle();
    };
    signal.addEventListener('abort', () => end(() => reject(new DOMException('canceled', 'AbortError'))));
    const take = (job: Job) => {
      onJob(job);
      if (hasEnded(job)) end(() => resolve(job));
    };
    const again = () => {
      if (!signal.aborted) resolve(followJob(id, onJob, signal));
    };
    source.addEventListener('job', ({ data }: MessageEvent<string>) => {
      take((JSON.parse(data) as { readonly job: Job }).job);
    });
    const look = async () => {
      try {
        const job = await request<Job>(`/jobs/${id}`, { signal });
        take(job);
        if (!hasEnded(job)) setTimeout(again, ASK_AGAIN_MS);
      } catch (error) {
        end(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
    };
    source.addEventListener('error', () => {
      // While it connects anew by itself there is nothing to do; once it has given up, the job itself tells.
      if (source.readyState === EventSource.CLOSED && !signal.aborted) void look();
    });
  });
}
