import { t } from '@lingui/core/macro';
import type { Key } from '../../api/schema.js';
import type { StatusBadgeProps } from '../../components/status/status-badge.js';

/** How each state of a key is shown. */
export const KEY_STATES: Readonly<Record<Key['status'], StatusBadgeProps>> = {
  active: { tone: 'good', label: t`Active` },
  replaced: { tone: 'warn', label: t`Being replaced` },
  expired: { tone: 'calm', label: t`Expired` },
  revoked: { tone: 'calm', label: t`Revoked` },
};
