import { pause } from '../lib/pause.js';
import { ApiError } from './api-error.js';
import { API_BASE, request } from './http.js';
import { hasEnded, type Job } from './job.js';

/** While the service has no room for one more stream, the job itself is asked for this often. */
const ASK_AGAIN_MS = 1_500;
const TOO_MANY_REQUESTS = 429;
const SERVER_FAULT = 500;

/**
 * Follows a job to its end by server-sent events. A service that is away for a while ends nothing: the job goes on
 * without us, so it is looked for until it is found.
 * @param onJob told each state, the last one included
 * @returns the job that has ended
 * @throws ApiError when the job cannot be read and waiting cannot help; DOMException `AbortError` when the signal
 * says so
 */
export async function followJob(id: string, onJob: (job: Job) => void, signal: AbortSignal): Promise<Job> {
  for (;;) {
    const streamed = await listen(id, onJob, signal);
    if (streamed !== null) return streamed;
    const { job, waitMs } = await look(id, signal);
    if (job !== null) onJob(job);
    if (job !== null && hasEnded(job)) return job;
    await pause(waitMs, signal);
  }
}

/** @returns the job that has ended; null once the browser has given up on the stream */
function listen(id: string, onJob: (job: Job) => void, signal: AbortSignal): Promise<Job | null> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const source = new EventSource(`${API_BASE}/jobs/${id}/events`);
    const end = (settle: () => void) => {
      source.close();
      signal.removeEventListener('abort', abort);
      settle();
    };
    const abort = () => end(() => reject(new DOMException('canceled', 'AbortError')));
    signal.addEventListener('abort', abort);
    source.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const { job } = JSON.parse(data) as { readonly job: Job };
      onJob(job);
      if (hasEnded(job)) end(() => resolve(job));
    });
    source.addEventListener('error', () => {
      // While it connects anew by itself there is nothing to do.
      if (source.readyState === EventSource.CLOSED) end(() => resolve(null));
    });
  });
}

interface Look {
  /** null: the service could not say. */
  readonly job: Job | null;
  /** How long to wait before the next look. */
  readonly waitMs: number;
}

async function look(id: string, signal: AbortSignal): Promise<Look> {
  try {
    return { job: await request<Job>(`/jobs/${id}`, { signal }), waitMs: ASK_AGAIN_MS };
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError) || !isPassing(error)) throw error;
    return { job: null, waitMs: Math.max(ASK_AGAIN_MS, (error.retryAfterSeconds ?? 0) * 1_000) };
  }
}

function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === TOO_MANY_REQUESTS || status >= SERVER_FAULT;
}
