import type { ModelPromise } from './model-promise.js';

/**
 * What a job asks of whoever runs it, as one text: operation, level and what was promised of the result. All jobs of
 * a kind can be run by the same workers, so a worker finds its jobs, and the service those that nobody can run, by it.
 * The same text is an index of the table `jobs` (see `jobs/queue/job-kind.sql.ts`).
 */
export function workKind(
  operation: string,
  level: string,
  promise: Pick<ModelPromise, 'scale' | 'producesAlpha'> | null,
): string {
  const promised = promise === null ? 'any' : `${promise.scale}/${promise.producesAlpha}`;
  return `${operation}/${level}/${promised}`;
}
