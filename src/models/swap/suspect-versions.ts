import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isBuiltIn } from '../repository/built-in-versions.js';
import type { Catalog } from '../repository/catalog.js';
import type { ModelVersion } from '../repository/model-version.js';

/**
 * The versions that may be the reason why the models do not load together, the most likely first: the one whose stage
 * the runtime named, then shadows, which serve no customer, then the newest. Committed versions are not included,
 * because without them there is nothing to serve.
 * @param error the error thrown when loading them
 */
export async function suspectVersions(catalog: Catalog, error: unknown): Promise<readonly ModelVersion[]> {
  const text = String(error);
  const own = catalog.inMemory().filter((version) => !isBuiltIn(version));
  const dated = await Promise.all(
    own.map(async (version) => ({
      version,
      isNamed: text.includes(nameOf(version)),
      isShadow: catalog.shadows.includes(version),
      sinceMs: await sinceMs(version),
    })),
  );
  return dated
    .toSorted(
      (a, b) =>
        Number(b.isNamed) - Number(a.isNamed) ||
        Number(b.isShadow) - Number(a.isShadow) ||
        b.sinceMs - a.sinceMs ||
        b.version.version - a.version.version,
    )
    .map(({ version }) => version);
}

/** The prefix of the version's stage identifiers, which the runtime's errors contain. */
function nameOf({ manifest, version }: ModelVersion): string {
  return ` ${manifest.operation}/${version}/`;
}

async function sinceMs({ folder }: ModelVersion): Promise<number> {
  const entry = await stat(join(folder, 'manifest.json')).catch(() => undefined);
  return entry?.ctimeMs ?? 0;
}
