import { t } from '@lingui/core/macro';
/** How long the old secret or key can stay valid next to the new one. */
export const OVERLAPS = [
  { value: '0', label: t`Stop it now` },
  { value: '3600', label: t`One hour` },
  { value: '86400', label: t`One day` },
  { value: '259200', label: t`Three days` },
  { value: '604800', label: t`One week` },
] as const;

export const DEFAULT_OVERLAP = '86400';
