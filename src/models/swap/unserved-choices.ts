import type { Catalog } from '../repository/catalog.js';
import type { PreferredVersions } from '../repository/version-choice.js';

/**
 * A sentence for each operation whose chosen version cannot serve, so that another one does. A version whose
 * trial has not ended may still serve.
 */
export function unservedChoices(found: Catalog, preferred: PreferredVersions): readonly string[] {
  return [...preferred].flatMap(([operation, [version]]) => {
    const serving = found.servingVersion(operation)?.version;
    const isUntried = found.excluded.untried.some(
      (one) => one.manifest.operation === operation && one.version === version,
    );
    if (serving === undefined || serving === version || isUntried) return [];
    const isRefused = found.refusals.some(
      (one) => one.operation === operation && one.version === String(version),
    );
    const why = isRefused ? 'is refused' : 'is not in the model repository';
    return [
      `An operator chose ${operation}/${version}, but it ${why}. ${operation}/${serving} serves instead.`,
    ];
  });
}
