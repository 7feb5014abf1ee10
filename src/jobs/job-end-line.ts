import type { JobEntity } from './job.entity.js';

/** The fields of the log line for each ended job, whichever role ended it. Times in milliseconds. */
export function jobEndFields(job: JobEntity): Record<string, unknown> {
  const { createdAt, startedAt, completedAt } = job;
  return {
    jobId: job.id,
    status: job.status,
    ...(job.errorCode === null ? {} : { error: job.errorCode }),
    operation: job.operation,
    // "level" is the severity of the line.
    jobLevel: job.level,
    sourcePixels: job.sourcePixels,
    attempts: job.attempts,
    ...(job.device === null ? {} : { device: job.device }),
    ...(job.precision == null ? {} : { precision: job.precision }),
    ...(job.timings ?? {
      queuedMs: elapsedMs(createdAt, startedAt ?? completedAt),
      totalMs: elapsedMs(createdAt, completedAt),
    }),
  };
}

function elapsedMs(from: Date, to: Date | null): number | undefined {
  return to === null ? undefined : Math.max(0, to.getTime() - from.getTime());
}
