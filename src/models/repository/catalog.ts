import { LEVELS, type Level } from '../../kernel/operations.js';
import {
  keepsPromise,
  type ModelPromise,
  type OperationVersion,
  type PromisedVersion,
} from './model-promise.js';
import type { ModelRoute } from '../manifest/model-route.js';
import { type CatalogOperation, describedVersions } from './described-versions.js';
import type { ModelVersion } from './model-version.js';
import type { VersionChoice } from './version-choice.js';
import { storedStepKind, workKind } from './work-kind.js';

/** A version that does not serve, and the reason. */
export interface Refusal {
  readonly operation: string;
  /** Name of the version's folder. */
  readonly version: string;
  /** One sentence: what is wrong, where, and how to fix it. */
  readonly message: string;
}

/** Versions that are missing from a catalog, for reasons that decide what happens next. */
export interface ExcludedVersions {
  /** Refused versions whose files are missing or differ from the manifest. */
  readonly damaged: readonly Refusal[];
  /** Versions whose trial has not ended. The preferred or highest version of each operation comes first. */
  readonly untried: readonly ModelVersion[];
}

/** The versions in a model repository that operators chose as canaries or as shadows. */
export interface FoundVersions {
  readonly versions: readonly ModelVersion[];
  /** Versions whose trials have not ended. */
  readonly untried: readonly ModelVersion[];
  readonly refusals: readonly Refusal[];
}

const NOTHING_EXCLUDED: ExcludedVersions = { damaged: [], untried: [] };

/** Ids of stages that cannot run now. */
type AwayStages = Pick<ReadonlyMap<string, unknown>, 'has'>;

const NONE_AWAY: AwayStages = new Set<string>();

/** The offer of the model repository: for each operation, the highest valid version. Immutable. */
export class Catalog {
  private readonly versions: ReadonlyMap<string, ModelVersion>;

  constructor(
    versions: readonly ModelVersion[],
    /** Skipped versions, for the log. */
    readonly refusals: readonly Refusal[],
    /** Additional versions, for jobs that were promised a result that the serving version does not produce. */
    private readonly others: readonly ModelVersion[] = [],
    readonly excluded: ExcludedVersions = NOTHING_EXCLUDED,
    /** Versions that run a share of new jobs. They keep the promises of the serving versions. */
    readonly canaries: readonly ModelVersion[] = [],
    /** Versions that run finished jobs again, for comparison. Customers do not get their results. */
    readonly shadows: readonly ModelVersion[] = [],
  ) {
    this.versions = new Map(versions.map((version) => [version.manifest.operation, version]));
  }

  /** The offered operations, by name. */
  operations(): readonly CatalogOperation[] {
    return describedVersions(this.serving());
  }

  /** The canaries, by name. */
  canaryOperations(): readonly CatalogOperation[] {
    return describedVersions(this.canaries);
  }

  /** The shadows, by name. */
  shadowOperations(): readonly CatalogOperation[] {
    return describedVersions(this.shadows);
  }

  /** How to run an operation at a level on its shadow; undefined when it has none in this catalog. */
  shadowRoute(operation: string, level: Level): ModelRoute | undefined {
    return this.shadows.find(({ manifest }) => manifest.operation === operation)?.routes[level];
  }

  /** How to run an operation at a level; undefined when the operation is not offered. */
  route(operation: string, level: Level): ModelRoute | undefined {
    return this.versions.get(operation)?.routes[level];
  }

  /**
   * How to run a job with a promised result; undefined when no version in this catalog produces it now.
   * @param choice the operator's current choice for the operation: a job of the canary runs on the canary, and a chosen
   * version that is already loaded serves before another worker takes over
   * @param away versions with one of these stages are skipped. If the version that serves keeps the promise, only it and
   * the promised version replace them: a canary runs a share of the jobs, and others are loaded for other promises
   */
  routeFor(
    operation: string,
    level: Level,
    promise: ModelPromise | null,
    choice?: Pick<VersionChoice, 'serving' | 'canary'>,
    away: AwayStages = NONE_AWAY,
  ): ModelRoute | undefined {
    const loaded = this.loaded().filter(({ manifest }) => manifest.operation === operation);
    const numbered = (number?: number | null): ModelVersion[] =>
      loaded.filter(({ version }) => version === number);
    const canary = promise !== null && choice?.canary?.version === promise.version ? promise.version : null;
    const serving = this.versions.get(operation);
    const preferred = [...numbered(canary), ...numbered(choice?.serving), ...(serving ? [serving] : [])];
    const own = promise === null ? preferred : [...preferred, ...numbered(promise.version)];
    const others = loaded.filter((version) => !this.canaries.includes(version));
    const keeping = (versions: readonly ModelVersion[]): ModelRoute[] =>
      versions
        .map(({ routes }) => routes[level])
        .filter((route) => promise === null || keepsPromise(route, promise));
    const isServed = serving !== undefined && keeping([serving]).length > 0;
    const kept = [...keeping(own), ...(isServed ? [] : keeping(others))];
    return kept.find((route) => isPresent(route, away));
  }

  /**
   * The kinds of jobs that can run: `routeFor` finds a route for every job of these kinds, whatever operators chose.
   * @param away see `routeFor`
   */
  kinds(away: AwayStages = NONE_AWAY): readonly string[] {
    const isRunnable = (route: ModelRoute): boolean => isPresent(route, away);
    const kept = this.jobRoutes()
      .filter(isRunnable)
      .flatMap((route) => {
        const { operation, level, model, scale, producesAlpha } = route;
        const pinned = { scale, producesAlpha, version: model.version, pinned: true } as const;
        const own = workKind(operation, level, pinned);
        const isCanary = this.canaries.some(({ identity }) => identity === model);
        const serving = this.route(operation, level);
        // Jobs with this promise run on the version that serves. This one is loaded for jobs that are pinned to it.
        const isForPinned = serving !== undefined && serving.model !== model && isAlike(serving, route);
        return isCanary || isForPinned ? [own] : [workKind(operation, level, route), own];
      });
    const unpromised = routesOf(this.serving())
      .filter(isRunnable)
      .map(({ operation, level }) => workKind(operation, level, null));
    const kinds = [...new Set([...kept, ...unpromised])];
    return [...kinds, ...kinds.map(storedStepKind)];
  }

  /**
   * This catalog, plus those of the given versions whose results differ from the serving version's, or that are pinned.
   * @param promised shows which versions are pinned
   */
  with(others: readonly ModelVersion[], promised: readonly PromisedVersion[] = []): Catalog {
    const isPinned = ({ manifest: { operation }, version }: ModelVersion): boolean =>
      promised.some((one) => one.isPinned && one.operation === operation && one.version === version);
    const unlike = others.filter((other) => {
      const serving = this.versions.get(other.manifest.operation);
      if (serving === undefined) return true;
      if (this.canaries.some((one) => isSameVersion(one, other))) return false;
      return serving.version !== other.version && (isPinned(other) || !serving.keepsPromisesOf(other));
    });
    return new Catalog(this.serving(), this.refusals, unlike, this.excluded, this.canaries, this.shadows);
  }

  /** This catalog with these canaries, if they do not already serve and they keep the serving version's promises. */
  withCanaries(found: FoundVersions): Catalog {
    const { alike, refusals, excluded } = this.judged(found, 'canary');
    return new Catalog(this.serving(), refusals, this.others, excluded, alike, this.shadows);
  }

  /** This catalog with these shadows, if they do not already serve and keep the result's size and transparency. */
  withShadows(found: FoundVersions): Catalog {
    const { alike, refusals, excluded } = this.judged(found, 'shadow');
    return new Catalog(this.serving(), refusals, this.others, excluded, this.canaries, alike);
  }

  /** The version that serves each operation. */
  serving(): readonly ModelVersion[] {
    return [...this.versions.values()];
  }

  /** The version that serves an operation; undefined when it is not offered. */
  servingVersion(operation: string): ModelVersion | undefined {
    return this.versions.get(operation);
  }

  /** Every version that can run jobs. The serving versions come first. */
  loaded(): readonly ModelVersion[] {
    return [...this.versions.values(), ...this.canaries, ...this.others];
  }

  /** Like `loaded`, as operations and version numbers. */
  loadedVersions(): readonly OperationVersion[] {
    return this.loaded().map(({ manifest, version }) => ({ operation: manifest.operation, version }));
  }

  /** Every version that a worker loads: those that run jobs, and shadows. */
  inMemory(): readonly ModelVersion[] {
    const loaded = this.loaded();
    return [...loaded, ...this.shadows.filter((shadow) => !loaded.some((one) => isSameVersion(one, shadow)))];
  }

  /** Every route that can run jobs. */
  jobRoutes(): readonly ModelRoute[] {
    return routesOf(this.loaded());
  }

  /** Every route that a worker loads. */
  routes(): readonly ModelRoute[] {
    return routesOf(this.inMemory());
  }

  /** Which found versions can be loaded in addition to the serving ones, and why the others cannot. */
  private judged(
    { versions, untried, refusals }: FoundVersions,
    role: 'canary' | 'shadow',
  ): {
    readonly alike: readonly ModelVersion[];
    readonly refusals: readonly Refusal[];
    readonly excluded: ExcludedVersions;
  } {
    const added = versions.filter(({ manifest, version }) => {
      const serving = this.versions.get(manifest.operation);
      return serving !== undefined && serving.version !== version;
    });
    const unlike = added.filter((version) => !this.isAlike(version));
    return {
      alike: added.filter((version) => !unlike.includes(version)),
      refusals: [...this.refusals, ...refusals, ...unlike.map((version) => unlikeRefusal(version, role))],
      excluded: { ...this.excluded, untried: [...this.excluded.untried, ...untried] },
    };
  }

  private isAlike(version: ModelVersion): boolean {
    return this.versions.get(version.manifest.operation)!.keepsPromisesOf(version);
  }
}

const routesOf = (versions: readonly ModelVersion[]): readonly ModelRoute[] =>
  versions.flatMap(({ routes }) => LEVELS.map((level) => routes[level]));

/** Whether no stage of a route is away. */
export const isPresent = (
  { analyse, render }: Pick<ModelRoute, 'analyse' | 'render'>,
  away: AwayStages,
): boolean => !away.has(render.id) && (analyse === null || !away.has(analyse.id));

const isAlike = (a: ModelRoute, b: ModelRoute): boolean =>
  a.scale === b.scale && a.producesAlpha === b.producesAlpha;

const isSameVersion = (a: ModelVersion, b: ModelVersion): boolean =>
  a.manifest.operation === b.manifest.operation && a.version === b.version;

const REMEDIES = {
  canary: 'Cancel the canary, and choose the version to serve.',
  shadow: 'Stop the shadow run, and choose the version to serve.',
} as const;

function unlikeRefusal(
  { manifest: { operation }, version }: ModelVersion,
  role: keyof typeof REMEDIES,
): Refusal {
  const message = `${operation}/${version} cannot be a ${role}: its results have another size or transparency than those of the version that serves. ${REMEDIES[role]}`;
  return { operation, version: String(version), message };
}
