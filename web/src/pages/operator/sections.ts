import { t } from '@lingui/core/macro';

export interface ConsoleSection {
  /** Below `/operator`; empty for the first one. */
  readonly path: string;
  readonly label: string;
}

/** The sections of the console, in the order of its navigation. */
export const SECTIONS: readonly ConsoleSection[] = [
  { path: '', label: t`Overview` },
  { path: 'accounts', label: t`Accounts` },
  { path: 'failed-jobs', label: t`Failed jobs` },
  { path: 'failing-endpoints', label: t`Failing endpoints` },
  { path: 'workers', label: t`Workers` },
  { path: 'models', label: t`Models` },
  { path: 'audit', label: t`Audit log` },
  { path: 'settings', label: t`Settings` },
];
