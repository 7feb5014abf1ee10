import type { KnownModelWorker } from '../../models/serving/model-workers.repository.js';

/** The versions of an operation that a live worker has and does not refuse, highest first. */
export function usableVersions(workers: readonly KnownModelWorker[], operation: string): readonly number[] {
  const usable = workers
    .filter(({ alive, state }) => alive && state === 'serving')
    .flatMap(({ available, versions, refusals }) =>
      [...available, ...versions]
        .filter((one) => one.operation === operation)
        .map(({ version }) => version)
        .filter((version) => !refusals.some((one) => isOf(one, operation, version))),
    );
  return [...new Set(usable)].toSorted((a, b) => b - a);
}

/** Why live workers refuse a version. Contains each reason once. */
export function refusalReasons(
  workers: readonly KnownModelWorker[],
  operation: string,
  version: number | string,
): readonly string[] {
  const refusals = workers.filter(({ alive }) => alive).flatMap((worker) => worker.refusals);
  return [...new Set(refusals.filter((one) => isOf(one, operation, version)).map(({ message }) => message))];
}

const isOf = (
  one: { readonly operation: string; readonly version: string },
  operation: string,
  version: number | string,
): boolean => one.operation === operation && one.version === String(version);
