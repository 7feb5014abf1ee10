import { t } from '@lingui/core/macro';

/** What a promotion does, and how to return. A rollback goes only to a lower version. */
export function promotionText(version: number, serving: number | null): string {
  const effect = t`All customers' new jobs get version ${version}.`;
  if (serving === null) return effect;
  return version > serving
    ? t`${effect} You can roll back to version ${serving}.`
    : t`${effect} To return, serve version ${serving} again.`;
}
