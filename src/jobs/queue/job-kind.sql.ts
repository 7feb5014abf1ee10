/**
 * `workKind` in SQL, exactly as in the index `jobs_queued_kind` and its migration, so that a job of one kind
 * is found whatever else waits.
 */
export const JOB_KIND = `(operation || '/' || level || '/' ||
  coalesce((promise->>'scale') || '/' || (promise->>'producesAlpha'), 'any'))`;
