import { AppError } from '../../kernel/app-error.js';
import type { KnownModelWorker } from '../../models/serving/model-workers.repository.js';
import { refusalReasons, usableVersions } from './usable-versions.js';

export const unavailableVersion = (detail: string): AppError =>
  new AppError('version_unavailable', { detail });

/** @throws AppError `version_unavailable` unless a running worker has the version and does not refuse it */
export function refuseUnavailable(
  workers: readonly KnownModelWorker[],
  operation: string,
  version: number,
): void {
  if (usableVersions(workers, operation).includes(version)) return;
  const [reason] = refusalReasons(workers, operation, version);
  const why = reason ?? `No running worker has ${operation}/${version} in its model repository.`;
  throw unavailableVersion(`${why} Nothing was changed.`);
}
