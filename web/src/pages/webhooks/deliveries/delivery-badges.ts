import { t } from '@lingui/core/macro';
import type { DeliveryStatus } from '../../../api/webhooks/webhooks.js';
import type { StatusBadgeProps } from '../../../components/status/status-badge.js';

export const DELIVERY_BADGES: Readonly<Record<DeliveryStatus, StatusBadgeProps>> = {
  pending: { tone: 'busy', label: t`Pending` },
  succeeded: { tone: 'good', label: t`Succeeded` },
  failed: { tone: 'bad', label: t`Failed` },
};
