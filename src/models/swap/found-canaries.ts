import { join } from 'node:path';
import type { FoundCanaries, Refusal } from '../repository/catalog.js';
import { UNTRIED, type VersionCheck } from '../repository/load-catalog.js';
import type { OperationVersion } from '../repository/model-promise.js';
import type { ModelVersion } from '../repository/model-version.js';
import { InvalidVersion, readVersion, refusalOf } from '../repository/read-version.js';

/** Looks for canaries in a model repository. One that is not there is in none of the lists. */
export async function foundCanaries(
  modelsDir: string,
  canaries: readonly OperationVersion[],
  available: readonly OperationVersion[],
  judge: VersionCheck,
): Promise<FoundCanaries> {
  const versions: ModelVersion[] = [];
  const untried: ModelVersion[] = [];
  const refusals: Refusal[] = [];
  for (const { operation, version: number } of canaries) {
    if (!available.some((one) => one.operation === operation && one.version === number)) continue;
    try {
      const version = await readVersion(join(modelsDir, operation, String(number)));
      const judgement = await judge(version);
      if (judgement === null) versions.push(version);
      else if (judgement === UNTRIED) untried.push(version);
      else refusals.push(refusalOf(operation, String(number), judgement));
    } catch (error) {
      if (!(error instanceof InvalidVersion)) throw error;
      refusals.push(refusalOf(operation, String(number), error.message));
    }
  }
  return { versions, untried, refusals };
}
