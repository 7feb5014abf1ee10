import type { OperationVersion } from './model-promise.js';

/** The criteria by which customers are assigned to a canary. Requests without a key are assigned by account. */
export const CANARY_SUBJECTS = ['account', 'key'] as const;
export type CanarySubject = (typeof CANARY_SUBJECTS)[number];

/** A version that serves a share of the customers, instead of the serving version. */
export interface RequestedCanary {
  readonly version: number;
  /** 1–100. */
  readonly percent: number;
  readonly by: CanarySubject;
}

export interface Canary extends RequestedCanary {
  /** When it started, ISO 8601. */
  readonly since: string;
}

/** A version that runs a share of the finished jobs again, so that its results can be compared. */
export interface RequestedShadow {
  readonly version: number;
  /** 1–100. */
  readonly percent: number;
}

export interface Shadow extends RequestedShadow {
  /** When it started, ISO 8601, in microseconds: it identifies the figures. */
  readonly since: string;
}

/** An operator's choice of the versions of an operation. */
export interface VersionChoice {
  readonly operation: string;
  /** Null means the highest valid version. */
  readonly serving: number | null;
  /** The version that served before, and serves again while the chosen one cannot; null when unknown. */
  readonly previous: number | null;
  readonly canary: Canary | null;
  /** An operation has a canary or a shadow, never both, so that workers load at most two versions. */
  readonly shadow: Shadow | null;
}

/**
 * The versions that serve instead of the highest one, by operation: first the chosen version, then the one that served
 * before it. Operations without a choice are missing.
 */
export type PreferredVersions = ReadonlyMap<string, readonly number[]>;

export function preferredVersions(
  choices: readonly Pick<VersionChoice, 'operation' | 'serving' | 'previous'>[],
): PreferredVersions {
  return new Map(
    choices.flatMap(({ operation, serving, previous }) =>
      serving === null ? [] : [[operation, previous === null ? [serving] : [serving, previous]] as const],
    ),
  );
}

/**
 * How early a version serves: the preferred ones in their order, then the others from the highest down.
 * @returns a number that is larger for a version that serves instead of others
 */
export function versionRank(version: number, preferred: readonly number[] = []): number {
  const at = preferred.indexOf(version);
  return at === -1 ? version : Number.MAX_SAFE_INTEGER - at;
}

export function canariesOf(choices: readonly VersionChoice[]): readonly OperationVersion[] {
  return choices.flatMap(({ operation, canary }) =>
    canary === null ? [] : [{ operation, version: canary.version }],
  );
}

export function shadowsOf(choices: readonly VersionChoice[]): readonly OperationVersion[] {
  return choices.flatMap(({ operation, shadow }) =>
    shadow === null ? [] : [{ operation, version: shadow.version }],
  );
}

/** The format of choices in heartbeats, for example `upscale/2`, `upscale/3 canary`, and `upscale/4 shadow 50`. */
export function namesOf(choices: readonly VersionChoice[]): readonly string[] {
  return choices.flatMap(({ operation, serving, canary, shadow }) => [
    ...(serving === null ? [] : [`${operation}/${serving}`]),
    ...(canary === null ? [] : [`${operation}/${canary.version} canary`]),
    // The worker needs the share, because it selects the jobs itself.
    ...(shadow === null ? [] : [`${operation}/${shadow.version} shadow ${shadow.percent}`]),
  ]);
}
