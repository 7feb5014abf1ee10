import { useEffect, useRef } from 'react';
import { ApiError } from 'image-enhancement-client';
import { readJob } from '../../../api/jobs/jobs.js';
import type { SessionJob } from '../../../api/schema.js';
import { lastJob } from './last-job.js';

/**
 * Reads the job that this tab showed last, once. A job that is gone, or another account's, is forgotten.
 * @param isWanted false when something else is to be shown; the same each time
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
    // A run that has begun since has a job of its own.
    if (error instanceof ApiError && error.status < 500 && lastJob.read() === id) lastJob.forget();
  }
}
