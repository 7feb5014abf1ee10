import { isErasedOnceRead } from '../../../api/jobs/job.js';
import type { SessionJob } from '../../../api/schema.js';

/** The built-in operation that removes the background. */
const CUTS_OUT = 'bg_remove';

/** Whether marks can be painted for a job: it has removed a background, from a picture that looks like its source. */
export function canRefine({ status, operations }: Pick<SessionJob, 'status' | 'operations'>): boolean {
  const at = operations.findIndex(({ operation }) => operation === CUTS_OUT);
  const isWhole = operations.slice(0, Math.max(0, at)).every(({ fit }) => fit !== 'cover');
  return status === 'completed' && at !== -1 && isWhole;
}

/** The mask that corrected the cutout of a job, if there was one. */
export function maskUrlOf({ operations }: Pick<SessionJob, 'operations'>): string | null {
  return operations.find(({ operation }) => operation === CUTS_OUT)?.mask?.sourceUrl ?? null;
}

/**
 * Whether the result can be shown behind the marks: it is neither cropped nor on another background, and reading it
 * does not erase it.
 */
export function showsCutout(job: Pick<SessionJob, 'output' | 'result' | 'retention'>): boolean {
  const { output, result } = job;
  const { background, crop, shadow, kind } = output;
  return (
    result !== undefined &&
    !isErasedOnceRead(job) &&
    background === null &&
    [crop, shadow, kind].every((option) => option === undefined)
  );
}
