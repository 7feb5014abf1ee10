import { ApiError, type Job } from 'image-enhancement-client';

/** Where one run of the playground is. */
export type Enhancement =
  | { readonly phase: 'idle' }
  | { readonly phase: 'uploading'; readonly share: number }
  | { readonly phase: 'creating' }
  | { readonly phase: 'watching'; readonly job: Job }
  | { readonly phase: 'ended'; readonly job: Job }
  | { readonly phase: 'refused'; readonly error: Error };

/** A job that should have been canceled and was not; `jobId` null: nobody knows whether there is one. */
export interface Uncanceled {
  readonly error: Error;
  readonly jobId: string | null;
}

/** Whether something runs that can be canceled. */
export function isRunning({ phase }: Enhancement): boolean {
  return phase === 'uploading' || phase === 'creating' || phase === 'watching';
}

/** Whether a cancel came when the job had ended already. */
export function isTooLate(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'job_already_finished';
}
