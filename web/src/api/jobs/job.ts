import type { Job } from 'image-enhancement-client';

export type JobStatus = Job['status'];
export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const satisfies JobStatus[];

export type Level = Job['level'];
export const LEVELS = ['low', 'medium', 'high'] as const satisfies Level[];

/** Whether the job will not change anymore. */
export function hasEnded(job: Pick<Job, 'status'>): boolean {
  return job.status === 'completed' || job.status === 'failed';
}
