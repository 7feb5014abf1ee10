import type { VersionChoice } from '../../models/repository/version-choice.js';

/**
 * The version that serves again while the next choice cannot. A chosen version that no worker serves, because it is
 * refused or on trial, does not take the place of the one that does.
 * @param offered the version that new jobs get; null while no worker serves the operation
 * @param next the version that is chosen now; null for the highest
 */
export function previousOf(
  { serving, previous }: Pick<VersionChoice, 'serving' | 'previous'>,
  offered: number | null,
  next: number | null,
): number | null {
  const before = offered === null || offered === next ? (serving ?? offered) : offered;
  return before === next ? previous : (before ?? previous);
}
