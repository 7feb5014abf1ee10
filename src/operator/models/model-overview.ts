import type { KnownModelWorker } from '../../models/serving/model-workers.repository.js';
import type { ConsoleOperationDto, ConsoleVersionDto, VersionState } from './console-models.dto.js';

/** A version folder of the model repository. */
export interface VersionFolder {
  readonly operation: string;
  readonly version: string;
}

/** Every version that the repository or a living worker knows, by operation. */
export function modelOverview(
  folders: readonly VersionFolder[],
  workers: readonly KnownModelWorker[],
): ConsoleOperationDto[] {
  const living = workers.filter(({ alive }) => alive);
  const known = [
    ...folders,
    ...living.flatMap(({ refusals }) => refusals),
    ...living.flatMap(({ versions }) =>
      versions.map(({ operation, version }) => ({ operation, version: `${version}` })),
    ),
  ];
  const operations = [...new Set(known.map(({ operation }) => operation))].toSorted();
  return operations.map((operation) => {
    const names = new Set(known.filter((one) => one.operation === operation).map(({ version }) => version));
    const versions = [...names]
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => versionOf({ operation, version }, living));
    const serving = versions.filter(({ state }) => state === 'serving').map(({ version }) => Number(version));
    return { operation, offered: serving.length === 0 ? null : Math.max(...serving), versions };
  });
}

function versionOf(folder: VersionFolder, living: readonly KnownModelWorker[]): ConsoleVersionDto {
  const { operation, version } = folder;
  const holders = living.filter(({ versions }) => versions.some((held) => isSame(held, folder)));
  const served = living
    .filter(({ state }) => state === 'serving')
    .flatMap(({ operations }) => operations)
    .find(({ operation: name, model }) => isSame({ operation: name, version: model.version }, folder));
  const refusals = living
    .flatMap((worker) => worker.refusals)
    .filter((refusal) => isSame(refusal, { operation, version }));
  const state: VersionState =
    served !== undefined
      ? 'serving'
      : holders.length > 0
        ? 'loaded'
        : refusals.length > 0
          ? 'refused'
          : 'idle';
  return {
    version,
    state,
    model: served?.model.name ?? null,
    sha256: served?.model.sha256 ?? null,
    workers: holders.map(({ id }) => id),
    reasons: [...new Set(refusals.map(({ message }) => message))],
  };
}

const isSame = (
  one: { readonly operation: string; readonly version: number | string },
  { operation, version }: VersionFolder,
): boolean => one.operation === operation && String(one.version) === version;
