import type { VersionChoice } from '../../models/repository/version-choice.js';
import { unavailableVersion } from './unavailable-version.js';

/**
 * The version that serves alongside a canary or a shadow: the chosen one, or the one that is currently offered.
 * @param version the canary or the shadow
 * @throws AppError `version_unavailable` when no version serves, or the given version itself serves
 */
export function fixedServing(
  { operation, serving: chosen }: VersionChoice,
  offered: number | null,
  version: number,
): number {
  const serving = chosen ?? offered;
  if (serving === null)
    throw unavailableVersion(`No version of ${operation} serves. Choose one to serve. Nothing was changed.`);
  if (serving === version)
    throw unavailableVersion(`${operation}/${version} serves all jobs already. Nothing was changed.`);
  return serving;
}
