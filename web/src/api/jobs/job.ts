import type { Job } from 'image-enhancement-client';

export type JobStatus = Job['status'];
export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const satisfies JobStatus[];

export type Level = Job['level'];
export const LEVELS = ['low', 'medium', 'high'] as const satisfies Level[];

/** Whether the job will not change anymore. */
export function hasEnded(job: Pick<Job, 'status'>): boolean {
  return job.status === 'completed' || job.status === 'failed';
}

/** Whether the result does not show the whole source in its proportions, so that their pixels do not coincide. */
export function isReframed({ operations, output }: Pick<Job, 'operations' | 'output'>): boolean {
  return output.crop !== undefined || operations.some(({ fit }) => fit === 'cover' || fit === 'fill');
}

/** Whether the job has a result that still exists. */
export function isResultKept(
  { result, resultUrl }: Pick<Job, 'result' | 'resultUrl'>,
  nowMs: number,
): boolean {
  return result !== undefined && resultUrl !== undefined && Date.parse(result.expiresAt) > nowMs;
}

/** Whether the service erases the result once it has been sent to a reader, which includes the pictures of a page. */
export function isErasedOnceRead({ retention }: Pick<Job, 'retention'>): boolean {
  return retention === 'deliver';
}
