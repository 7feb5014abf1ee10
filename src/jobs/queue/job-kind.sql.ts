/**
 * `workKind` in SQL, exactly as in the index `jobs_queued_kind` and its migration, so that a job of one kind
 * is found whatever else waits.
 */
export const JOB_KIND = `(operation || '/' || level || '/' ||
  coalesce((promise->>'scale') || '/' || (promise->>'producesAlpha'), 'any'))`;

/** The kinds that a worker must serve for jobs of a kind: of each step (see `StepsPromise`), or the kind itself. */
export const requiredKinds = (kind: string): string =>
  `CASE WHEN strpos(${kind}, '+') = 0 THEN ARRAY[${kind}]
        ELSE string_to_array(substr(${kind}, strpos(${kind}, '+') + 1), '+') END`;

/** `hop`: the kinds of all waiting jobs, read by one index lookup each. Needs `WITH RECURSIVE`. */
export const WAITING_KINDS = `hop AS (
      (SELECT ${JOB_KIND} AS kind FROM jobs WHERE status = 'queued' AND deleted_at IS NULL ORDER BY ${JOB_KIND} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${JOB_KIND} FROM jobs
               WHERE status = 'queued' AND deleted_at IS NULL AND ${JOB_KIND} > hop.kind ORDER BY ${JOB_KIND} LIMIT 1)
        FROM hop WHERE hop.kind IS NOT NULL)`;
