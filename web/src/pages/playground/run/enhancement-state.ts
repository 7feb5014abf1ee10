import { ApiError, type Job } from 'image-enhancement-client';

/** The state of one run of the playground. */
export type Enhancement =
  | { readonly phase: 'idle' }
  | { readonly phase: 'uploading'; readonly share: number }
  | { readonly phase: 'creating' }
  | { readonly phase: 'watching'; readonly job: Job }
  | { readonly phase: 'ended'; readonly job: Job }
  | { readonly phase: 'refused'; readonly error: Error };

/** A job that should have been canceled but was not; `jobId` is null if it is unknown whether the job exists. */
export interface Uncanceled {
  readonly error: Error;
  readonly jobId: string | null;
}

/** Whether the run is in a phase that can be canceled. */
export function isRunning({ phase }: Enhancement): boolean {
  return phase === 'uploading' || phase === 'creating' || phase === 'watching';
}

/** Whether the job had already ended when it was to be canceled. */
export function isTooLate(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'job_already_finished';
}
