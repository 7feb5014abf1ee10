import { join } from 'node:path';
import type { FoundVersions, Refusal } from '../repository/catalog.js';
import { UNTRIED, type VersionCheck } from '../repository/load-catalog.js';
import type { OperationVersion } from '../repository/model-promise.js';
import type { ModelVersion } from '../repository/model-version.js';
import { InvalidVersion, readVersion, refusalOf } from '../repository/read-version.js';

/** Looks for canaries or shadows in a model repository. A missing version is in none of the lists. */
export async function foundVersions(
  modelsDir: string,
  wanted: readonly OperationVersion[],
  available: readonly OperationVersion[],
  judge: VersionCheck,
): Promise<FoundVersions> {
  const versions: ModelVersion[] = [];
  const untried: ModelVersion[] = [];
  const refusals: Refusal[] = [];
  for (const { operation, version: number } of wanted) {
    if (!available.some((one) => one.operation === operation && one.version === number)) continue;
    try {
      const version = await readVersion(join(modelsDir, operation, String(number)));
      const judgment = await judge(version);
      if (judgment === null) versions.push(version);
      else if (judgment === UNTRIED) untried.push(version);
      else refusals.push(refusalOf(operation, String(number), judgment));
    } catch (error) {
      if (!(error instanceof InvalidVersion)) throw error;
      refusals.push(refusalOf(operation, String(number), error.message));
    }
  }
  return { versions, untried, refusals };
}
