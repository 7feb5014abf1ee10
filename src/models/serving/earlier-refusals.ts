import type { Refusal } from '../repository/catalog.js';
import type { OperationVersion } from '../repository/model-promise.js';
import { refusalOf } from '../repository/read-version.js';

/** A version that failed every stored trial. */
export interface FailedVersion extends OperationVersion {
  /** Why the most recent trial failed. */
  readonly reason: string;
}

interface RefusingWorker {
  readonly alive: boolean;
  readonly available: readonly OperationVersion[];
  readonly versions: readonly OperationVersion[];
  readonly refusals: readonly Refusal[];
}

/**
 * Adds refusals by workers that have been replaced. A worker reads the chosen version first and no further than the one
 * that serves, so it does not know these refusals. A version that a living worker has loaded is not refused.
 */
export function withEarlierRefusals<T extends RefusingWorker>(
  workers: readonly T[],
  failed: readonly FailedVersion[],
): T[] {
  const loaded = workers.filter(({ alive }) => alive).flatMap(({ versions }) => versions);
  const refused = failed.filter((one) => !loaded.some((other) => isSame(one, other)));
  return workers.map((worker) => {
    const added = refused
      .filter((one) => worker.available.some((other) => isSame(one, other)))
      .filter((one) => !worker.refusals.some((known) => isSame(one, known)))
      .map(earlierRefusal);
    return Object.assign({}, worker, { refusals: [...worker.refusals, ...added] });
  });
}

function earlierRefusal({ operation, version, reason }: FailedVersion): Refusal {
  const { message } = refusalOf(operation, String(version), reason);
  return { operation, version: String(version), message: `${message} ${TRY_AGAIN}` };
}

const TRY_AGAIN = 'An earlier worker tried it. To have it tried again, scan for new models first.';

const isSame = (
  { operation, version }: OperationVersion,
  other: { readonly operation: string; readonly version: number | string },
): boolean => operation === other.operation && String(version) === String(other.version);
