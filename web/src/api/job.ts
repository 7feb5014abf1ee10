export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const LEVELS = ['low', 'medium', 'high'] as const;
export type Level = (typeof LEVELS)[number];

export const IMAGE_FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export interface JobResult {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly expiresAt: string;
}

export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

export interface JobTimings {
  readonly queuedMs: number;
  readonly decodeMs: number;
  readonly inferenceMs: number;
  readonly encodeMs: number;
  readonly totalMs: number;
}

export interface JobModel {
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
}

/** A job as the service shows it. Times are ISO 8601, durations milliseconds; unknown yet is null. */
export interface Job {
  readonly id: string;
  readonly status: JobStatus;
  readonly operation: string;
  readonly level: Level;
  readonly sourceUrl: string;
  readonly resultUrl?: string;
  readonly result?: JobResult;
  readonly error: JobError | null;
  readonly output: {
    readonly format: ImageFormat;
    readonly quality: number | null;
    readonly background: string | null;
  };
  /** 0–1 */
  readonly progress: number;
  readonly attempts: number;
  readonly model: JobModel | null;
  readonly device: string | null;
  readonly timings: JobTimings | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/** Whether nothing will change any more. */
export function hasEnded(job: Pick<Job, 'status'>): boolean {
  return job.status === 'completed' || job.status === 'failed';
}
