import { useEffect, useRef } from 'react';
import { ApiError } from 'image-enhancement-client';
import { readJob } from '../../../api/jobs/jobs.js';
import type { SessionJob } from '../../../api/schema.js';
import { lastJob } from './last-job.js';

/**
 * Reads the job that this tab showed last, once. Forgets a job that no longer exists or belongs to another account.
 * @param isWanted false when something else must be shown; must not change
 */
export function useLastJob(isWanted: boolean, onJob: (job: SessionJob) => void): void {
  const told = useRef(onJob);
  useEffect(() => {
    told.current = onJob;
  }, [onJob]);
  useEffect(() => {
    const id = isWanted ? lastJob.read() : null;
    if (id === null) return;
    const controller = new AbortController();
    void tell(id, controller.signal, (job) => told.current(job));
    return () => controller.abort();
  }, [isWanted]);
}

async function tell(id: string, signal: AbortSignal, onJob: (job: SessionJob) => void): Promise<void> {
  try {
    const job = await readJob(id, signal);
    if (!signal.aborted && lastJob.read() === id) onJob(job);
  } catch (error) {
    // A run that was started in the meantime has its own job.
    if (error instanceof ApiError && error.status < 500 && lastJob.read() === id) lastJob.forget();
  }
}
