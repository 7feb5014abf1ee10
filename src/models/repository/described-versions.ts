import { LEVELS, type Level } from '../../kernel/operations.js';
import type { ModelIdentity, ModelRoute } from '../manifest/model-route.js';
import type { ModelVersion } from './model-version.js';

/** The public description of an operation. */
export interface CatalogOperation {
  readonly operation: string;
  readonly description: string;
  readonly levels: readonly Level[];
  /** Result pixels per source pixel along each axis, by level. */
  readonly scales: Readonly<Record<Level, number>>;
  /** The result is always RGBA. */
  readonly producesAlpha: boolean;
  /** Strength of each level, 0–1, if the operation's levels differ in it. A job can then request another strength. */
  readonly strengths?: Readonly<Record<Level, number>> | undefined;
  readonly model: ModelIdentity;
}

/** Versions in the API's format, by operation. */
export function describedVersions(versions: readonly ModelVersion[]): readonly CatalogOperation[] {
  return versions
    .map(({ manifest, identity, routes }) => ({
      operation: manifest.operation,
      description: manifest.description,
      levels: LEVELS,
      scales: Object.fromEntries(LEVELS.map((level) => [level, routes[level].scale])) as Record<
        Level,
        number
      >,
      producesAlpha: LEVELS.some((level) => routes[level].producesAlpha),
      strengths: strengthsOf(routes),
      model: identity,
    }))
    .toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
}

/** Undefined if all levels have one strength: they differ in something else, and their graphs need not use strength. */
function strengthsOf(routes: Readonly<Record<Level, ModelRoute>>): Record<Level, number> | undefined {
  const strengths = Object.fromEntries(LEVELS.map((level) => [level, routes[level].strength]));
  const isVaried = new Set(Object.values(strengths)).size > 1;
  return isVaried ? (strengths as Record<Level, number>) : undefined;
}
