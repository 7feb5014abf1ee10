/**
 * What a job asks of its worker (`workKind` in SQL), as the index `jobs_queued_kind` has it: it finds a job of one
 * kind whatever else waits. Must stay the very expression of the migration.
 */
export const JOB_KIND = `(operation || '/' || level || '/' ||
  coalesce((promise->>'scale') || '/' || (promise->>'producesAlpha'), 'any'))`;
