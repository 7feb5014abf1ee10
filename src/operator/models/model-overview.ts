import type { KnownModelWorker } from '../../models/serving/model-workers.repository.js';
import type { VersionChoice } from '../../models/serving/version-choice.js';
import type {
  ChoiceState,
  ConsoleOperationDto,
  ConsoleVersionDto,
  VersionState,
} from './console-models.dto.js';
import { refusalReasons, usableVersions } from './usable-versions.js';

/** A version folder of the model repository. */
export interface VersionFolder {
  readonly operation: string;
  readonly version: string;
}

/** Every version that the repository or a living worker knows, by operation. */
export function modelOverview(
  folders: readonly VersionFolder[],
  workers: readonly KnownModelWorker[],
  choices: readonly VersionChoice[] = [],
): ConsoleOperationDto[] {
  const living = workers.filter(({ alive }) => alive);
  const known = [
    ...folders,
    ...living.flatMap(({ refusals }) => refusals),
    ...living.flatMap(({ versions, available }) =>
      [...available, ...versions].map(({ operation, version }) => ({ operation, version: `${version}` })),
    ),
  ];
  const operations = [...new Set(known.map(({ operation }) => operation))].toSorted();
  return operations.map((operation) => {
    const names = new Set(known.filter((one) => one.operation === operation).map(({ version }) => version));
    const versions = [...names]
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => versionOf({ operation, version }, living));
    const choice = choices.find((one) => one.operation === operation);
    return Object.assign({ operation, versions }, servingOf(versions, choice));
  });
}

function servingOf(
  versions: readonly ConsoleVersionDto[],
  choice: VersionChoice | undefined,
): Pick<ConsoleOperationDto, 'offered' | 'chosen' | 'choiceState' | 'rollBackTo'> {
  const numbersOf = (some: readonly ConsoleVersionDto[]) => some.map(({ version }) => Number(version));
  const serving = numbersOf(versions.filter(({ state }) => state === 'serving'));
  const chosen = choice?.serving ?? null;
  const isServed = chosen !== null && serving.includes(chosen);
  const offered = isServed ? chosen : (serving.toSorted((a, b) => b - a)[0] ?? null);
  const current = chosen ?? offered;
  const usable = numbersOf(versions.filter(({ canServe }) => canServe));
  const lower = usable.filter((version) => current !== null && version < current);
  const before = lower.find((version) => version === choice?.previous);
  return {
    offered,
    chosen,
    choiceState: chosen === null ? null : isServed ? 'served' : stateOfChoice(versions, chosen),
    rollBackTo: before ?? lower.toSorted((a, b) => b - a)[0] ?? null,
  };
}

function stateOfChoice(versions: readonly ConsoleVersionDto[], chosen: number): ChoiceState {
  const found = versions.find(({ version }) => version === String(chosen));
  if (found !== undefined && found.reasons.length > 0) return 'refused';
  return found?.canServe === true ? 'pending' : 'missing';
}

function versionOf(folder: VersionFolder, living: readonly KnownModelWorker[]): ConsoleVersionDto {
  const { operation, version } = folder;
  const holders = living.filter(({ versions }) => versions.some((held) => isSame(held, folder)));
  const served = living
    .filter(({ state }) => state === 'serving')
    .flatMap(({ operations }) => operations)
    .find(({ operation: name, model }) => isSame({ operation: name, version: model.version }, folder));
  const reasons = refusalReasons(living, operation, version);
  const state: VersionState =
    served !== undefined
      ? 'serving'
      : holders.length > 0
        ? 'loaded'
        : reasons.length > 0
          ? 'refused'
          : 'idle';
  return {
    version,
    state,
    model: served?.model.name ?? null,
    sha256: served?.model.sha256 ?? null,
    canServe: usableVersions(living, operation).includes(Number(version)),
    workers: holders.map(({ id }) => id),
    reasons,
  };
}

const isSame = (
  one: { readonly operation: string; readonly version: number | string },
  { operation, version }: VersionFolder,
): boolean => one.operation === operation && String(one.version) === version;
