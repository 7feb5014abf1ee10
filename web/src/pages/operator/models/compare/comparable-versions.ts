import type { ConsoleOperation } from '../../../../api/operator/schema.js';

/** Two versions, as the numbers of their folders. */
export interface VersionPair {
  readonly a: number;
  readonly b: number;
}

/** The versions that a live worker can run, highest first. */
export function comparableVersions({ versions }: Pick<ConsoleOperation, 'versions'>): readonly number[] {
  return versions.filter(({ canServe }) => canServe).map(({ version }) => Number(version));
}

/**
 * The default selection: the serving version and the highest other one.
 * @param asked versions in the URL; unknown ones are ignored
 * @returns undefined when there are fewer than two versions
 */
export function suggestedVersions(
  operation: Pick<ConsoleOperation, 'versions' | 'chosen' | 'offered'>,
  asked: { readonly a: string | null; readonly b: string | null },
): VersionPair | undefined {
  const all = comparableVersions(operation);
  const known = (version: number | string | null): number | undefined =>
    all.find((one) => String(one) === String(version));
  const a = known(asked.a) ?? known(operation.chosen ?? operation.offered) ?? all[0];
  const others = all.filter((one) => one !== a);
  const b = others.find((one) => one === known(asked.b)) ?? others[0];
  return a === undefined || b === undefined ? undefined : { a, b };
}
