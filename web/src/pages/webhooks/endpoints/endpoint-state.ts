import { t } from '@lingui/core/macro';
import type { Endpoint } from 'image-enhancement-client';
import type { StatusBadgeProps } from '../../../components/status/status-badge.js';
import { formatDateTime } from '../../../lib/format.js';

export function endpointBadge({ enabled, failingSince }: Endpoint): StatusBadgeProps {
  if (!enabled) return { tone: 'bad', label: t`Disabled` };
  return failingSince === null ? { tone: 'good', label: t`Enabled` } : { tone: 'warn', label: t`Failing` };
}

/** The problem of an endpoint and its remedy; null if there is none. */
export function endpointTrouble({ enabled, disabledReason, failingSince }: Endpoint): string | null {
  if (!enabled) {
    const reason = REASONS[disabledReason ?? ''] ?? t`It receives no events while it is disabled.`;
    return t`${reason} Enable it again, then recover what it missed.`;
  }
  if (failingSince === null) return null;
  return t`No delivery has succeeded since ${formatDateTime(failingSince)}. Open its deliveries to see the responses; failed ones are retried automatically.`;
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  manual: t`It was disabled manually.`,
  gone: t`Disabled because it responded with 410 Gone.`,
  failing: t`Disabled after days of failed deliveries.`,
};
