import type { Catalog } from '../../repository/catalog.js';
import type { PromisedVersion } from '../../repository/model-promise.js';
import type { ModelVersion } from '../../repository/model-version.js';

/** Accepted jobs that no worker can run. */
export interface UnservedJobs {
  /** Their kinds, see `workKind`. */
  readonly kinds: readonly string[];
  /** Versions that were promised to unfinished jobs, including jobs that workers can run. */
  readonly promised: readonly PromisedVersion[];
}

/** The versions with which a worker could run more of the unserved jobs than it can now. */
export function owedVersions(
  loaded: Catalog,
  versions: readonly ModelVersion[],
  { kinds, promised }: UnservedJobs,
): readonly ModelVersion[] {
  const before = new Set(loaded.kinds());
  // Jobs with several steps name the kinds of all steps, see `StepsPromise`.
  const wanted = new Set(kinds.flatMap((kind) => kind.split('+')));
  return versions.filter((version) =>
    loaded
      .with([version], promised)
      .kinds()
      .some((kind) => wanted.has(kind) && !before.has(kind)),
  );
}
