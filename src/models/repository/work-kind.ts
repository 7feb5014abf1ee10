/**
 * What a job requires of a worker, as one string: operation, level, and the promised result. All jobs of a kind can be
 * run by the same workers. Workers find their jobs by it, and the service finds jobs that no worker can run. The table
 * `jobs` has an index on the same string (see `jobs/queue/job-kind.sql.ts`). A pinned version follows as `@2`. Jobs
 * with a pinned version have stored steps, so the index never contains such a kind itself.
 */
export function workKind(
  operation: string,
  level: string,
  promise: {
    readonly scale: number | string;
    readonly producesAlpha: boolean | string;
    readonly version?: number;
    readonly pinned?: true;
  } | null,
): string {
  const promised = promise === null ? 'any' : `${promise.scale}/${promise.producesAlpha}`;
  const pin = promise?.pinned === true ? `@${promise.version}` : '';
  return `${operation}/${level}/${promised}${pin}`;
}

/** Whether only one version of a model can run jobs of a kind. */
export const isPinnedKind = (kind: string): boolean => /@\d+$/.test(kind);

/** The kind of a job whose only step is of this kind and is stored with options; see `StepsPromise`. */
export function storedStepKind(kind: string): string {
  const [operation = '', level = ''] = kind.split('/');
  return workKind(operation, level, { scale: 'steps', producesAlpha: `+${kind}` });
}
