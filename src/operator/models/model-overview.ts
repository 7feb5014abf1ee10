import type { KnownModelWorker } from '../../models/serving/model-workers.repository.js';
import type { CatalogOperation } from '../../models/repository/described-versions.js';
import {
  preferredVersions,
  type VersionChoice,
  versionRank,
} from '../../models/repository/version-choice.js';
import { activeCanaries, workersWithout } from '../../models/serving/canary-share.js';
import type { CanaryDto } from './canary.dto.js';
import type { ShadowDto } from './shadow.dto.js';
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

/** Every version that the repository or a live worker knows, by operation. */
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
    const choice = choices.find((one) => one.operation === operation);
    const versions = [...names]
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => versionOf({ operation, version }, living, choice));
    return Object.assign(
      { operation, versions, canary: canaryOf(living, choice), shadow: shadowOf(living, choice) },
      servingOf(versions, choice),
    );
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
  const preferred = choice && preferredVersions([choice]).get(choice.operation);
  const byRank = serving.toSorted((a, b) => versionRank(b, preferred) - versionRank(a, preferred));
  const offered = byRank[0] ?? null;
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

function canaryOf(living: readonly KnownModelWorker[], choice: VersionChoice | undefined): CanaryDto | null {
  if (choice?.canary == null) return null;
  const { operation, canary } = choice;
  return {
    ...canary,
    since: new Date(canary.since).toISOString(),
    active: activeCanaries(living, [choice]).size > 0,
    missingOn: workersWithout(living, operation, canary.version),
  };
}

function shadowOf(living: readonly KnownModelWorker[], choice: VersionChoice | undefined): ShadowDto | null {
  if (choice?.shadow == null) return null;
  const { operation, shadow } = choice;
  const workers = living.filter(
    ({ state, operations }) => state === 'serving' && operations.some((one) => one.operation === operation),
  );
  const isLoadedBy = ({ shadows }: KnownModelWorker): boolean =>
    shadows.some((one) => one.operation === operation && one.model.version === shadow.version);
  return {
    ...shadow,
    since: new Date(shadow.since).toISOString(),
    loadedOn: workers.filter(isLoadedBy).map(({ id }) => id),
    missingOn: workers.filter((worker) => !isLoadedBy(worker)).map(({ id }) => id),
  };
}

function stateOfChoice(versions: readonly ConsoleVersionDto[], chosen: number): ChoiceState {
  const found = versions.find(({ version }) => version === String(chosen));
  if (found !== undefined && found.reasons.length > 0) return 'refused';
  return found?.canServe === true ? 'pending' : 'missing';
}

function versionOf(
  folder: VersionFolder,
  living: readonly KnownModelWorker[],
  choice: VersionChoice | undefined,
): ConsoleVersionDto {
  const { operation, version } = folder;
  const holders = living.filter(
    ({ versions, shadows }) =>
      versions.some((held) => isSame(held, folder)) || findIn(shadows, folder) !== undefined,
  );
  const serving = living.filter(({ state }) => state === 'serving');
  const served = findIn(
    serving.flatMap(({ operations }) => operations),
    folder,
  );
  const canary = findIn(
    serving.flatMap(({ canaries }) => canaries),
    folder,
  );
  const shadow = findIn(
    serving.flatMap(({ shadows }) => shadows),
    folder,
  );
  const described = served ?? canary ?? shadow;
  const reasons = refusalReasons(living, operation, version);
  const isChosen = (number?: number | null): boolean => String(number) === version;
  const stateOf = (): VersionState => {
    // A promoted canary serves before its workers announce it as the serving version.
    if (served !== undefined || (canary !== undefined && isChosen(choice?.serving))) return 'serving';
    if (canary !== undefined && isChosen(choice?.canary?.version)) return 'canary';
    if (shadow !== undefined && isChosen(choice?.shadow?.version)) return 'shadow';
    if (holders.length > 0) return 'loaded';
    return reasons.length > 0 ? 'refused' : 'idle';
  };
  return {
    version,
    state: stateOf(),
    model: described?.model.name ?? null,
    sha256: described?.model.sha256 ?? null,
    canServe: usableVersions(living, operation).includes(Number(version)),
    workers: holders.map(({ id }) => id),
    reasons,
  };
}

const findIn = (some: readonly CatalogOperation[], folder: VersionFolder): CatalogOperation | undefined =>
  some.find(({ operation, model }) => isSame({ operation, version: model.version }, folder));

const isSame = (
  one: { readonly operation: string; readonly version: number | string },
  { operation, version }: VersionFolder,
): boolean => one.operation === operation && String(one.version) === version;
