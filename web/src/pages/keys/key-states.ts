import type { KeyStatus } from '../../api/keys.js';
import type { StatusBadgeProps } from '../../components/status-badge.js';

/** How each state of a key is shown. */
export const KEY_STATES: Readonly<Record<KeyStatus, StatusBadgeProps>> = {
  active: { tone: 'good', label: 'Active' },
  replaced: { tone: 'warn', label: 'Being replaced' },
  expired: { tone: 'calm', label: 'Expired' },
  revoked: { tone: 'calm', label: 'Revoked' },
};
