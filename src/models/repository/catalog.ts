import { LEVELS, type Level } from '../../kernel/operations.js';
import { keepsPromise, type ModelPromise, type OperationVersion } from './model-promise.js';
import type { ModelIdentity, ModelRoute } from '../manifest/model-route.js';
import type { ModelVersion } from './model-version.js';
import { workKind } from './work-kind.js';

/** What the API tells about one operation. */
export interface CatalogOperation {
  readonly operation: string;
  readonly description: string;
  readonly levels: readonly Level[];
  /** Result pixels per source pixel along each axis, by level. */
  readonly scales: Readonly<Record<Level, number>>;
  /** The result is RGBA whatever the source was. */
  readonly producesAlpha: boolean;
  readonly model: ModelIdentity;
}

/** A version that does not serve, and why. */
export interface Refusal {
  readonly operation: string;
  /** Name of the version's folder. */
  readonly version: string;
  /** One sentence: what, where, what to do. */
  readonly message: string;
}

/** Versions that a catalogue does not have, for reasons that decide what happens next. */
export interface ExcludedVersions {
  /** Of the refusals those whose files are missing, or not what the manifest says. */
  readonly damaged: readonly Refusal[];
  /** Versions whose trial has not ended. Of each operation the highest comes first. */
  readonly untried: readonly ModelVersion[];
}

const NOTHING_EXCLUDED: ExcludedVersions = { damaged: [], untried: [] };

/** What the model repository offers: for each operation the highest version that is sound. Immutable. */
export class Catalog {
  private readonly versions: ReadonlyMap<string, ModelVersion>;

  constructor(
    versions: readonly ModelVersion[],
    /** Versions that were passed over, for the log. */
    readonly refusals: readonly Refusal[],
    /** Other versions, for jobs that were promised something the serving version does differently. */
    private readonly others: readonly ModelVersion[] = [],
    readonly excluded: ExcludedVersions = NOTHING_EXCLUDED,
  ) {
    this.versions = new Map(versions.map((version) => [version.manifest.operation, version]));
  }

  /** The operations on offer, by name. */
  operations(): readonly CatalogOperation[] {
    return [...this.versions.values()]
      .map(({ manifest, identity, routes }) => ({
        operation: manifest.operation,
        description: manifest.description,
        levels: LEVELS,
        scales: Object.fromEntries(LEVELS.map((level) => [level, routes[level].scale])) as Record<
          Level,
          number
        >,
        producesAlpha: LEVELS.some((level) => routes[level].producesAlpha),
        model: identity,
      }))
      .toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
  }

  /** How to run an operation at a level; undefined when the operation is not on offer. */
  route(operation: string, level: Level): ModelRoute | undefined {
    return this.versions.get(operation)?.routes[level];
  }

  /** How to run a job that was promised something; undefined when no version here keeps to it. */
  routeFor(operation: string, level: Level, promise: ModelPromise | null): ModelRoute | undefined {
    const serving = this.route(operation, level);
    if (promise === null || (serving !== undefined && keepsPromise(serving, promise))) return serving;
    const others = this.others.filter(({ manifest }) => manifest.operation === operation);
    const promised = others.filter(({ version }) => version === promise.version);
    return [...promised, ...others]
      .map(({ routes }) => routes[level])
      .find((route) => keepsPromise(route, promise));
  }

  /** What can run here: exactly the kinds of jobs for which `routeFor` finds a route. */
  kinds(): readonly string[] {
    const kept = this.routes().map((route) => workKind(route.operation, route.level, route));
    const unpromised = [...this.versions.keys()].flatMap((operation) =>
      LEVELS.map((level) => workKind(operation, level, null)),
    );
    return [...new Set([...kept, ...unpromised])];
  }

  /** The same with those of these versions that do something else than the one which serves. */
  with(others: readonly ModelVersion[]): Catalog {
    const unlike = others.filter((other) => {
      const serving = this.versions.get(other.manifest.operation);
      return serving === undefined || (serving.version !== other.version && !serving.keepsPromisesOf(other));
    });
    return new Catalog(this.serving(), this.refusals, unlike, this.excluded);
  }

  /** The version that serves each operation. */
  serving(): readonly ModelVersion[] {
    return [...this.versions.values()];
  }

  /** The version that serves an operation; undefined when it is not on offer. */
  servingVersion(operation: string): ModelVersion | undefined {
    return this.versions.get(operation);
  }

  /** Every version that can run here, the serving one of each operation first. */
  loaded(): readonly ModelVersion[] {
    return [...this.versions.values(), ...this.others];
  }

  /** As `loaded`, by number. */
  loadedVersions(): readonly OperationVersion[] {
    return this.loaded().map(({ manifest, version }) => ({ operation: manifest.operation, version }));
  }

  /** Every route that can run here: what a worker loads. */
  routes(): readonly ModelRoute[] {
    return this.loaded().flatMap(({ routes }) => LEVELS.map((level) => routes[level]));
  }
}
