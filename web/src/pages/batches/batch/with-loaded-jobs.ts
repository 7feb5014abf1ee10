import type { Job } from 'image-enhancement-client';
import { hasBatchEnded } from '../../../api/batches/batches.js';
import type { SessionBatchDetail } from '../../../api/schema.js';

type Shown = Pick<SessionBatchDetail, 'status' | 'counts' | 'percent'>;
type ShownJob = Pick<Job, 'status' | 'error'>;

/**
 * The batch in agreement with its jobs on the same page. It is read by another request, so that its counts may be older
 * than the jobs.
 */
export function withLoadedJobs<Batch extends Shown>(batch: Batch, jobs: readonly ShownJob[]): Batch {
  if (hasBatchEnded(batch)) return batch;
  const isStarted = jobs.some(({ status }) => status !== 'queued');
  const status = batch.status === 'queued' && isStarted ? 'processing' : batch.status;
  if (jobs.length < batch.counts.total) return { ...batch, status };
  const counts = countsOf(jobs);
  const ended = counts.completed + counts.failed + counts.canceled;
  return { ...batch, status, counts, percent: Math.floor((ended / counts.total) * 100) };
}

function countsOf(jobs: readonly ShownJob[]): Shown['counts'] {
  const counts = { total: jobs.length, queued: 0, processing: 0, completed: 0, failed: 0, canceled: 0 };
  for (const { status, error } of jobs) counts[error?.code === 'canceled' ? 'canceled' : status] += 1;
  return counts;
}
