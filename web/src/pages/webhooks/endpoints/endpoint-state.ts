import type { Endpoint } from 'image-enhancement-client';
import type { StatusBadgeProps } from '../../../components/status/status-badge.js';
import { formatRelative } from '../../../lib/format.js';

export function endpointBadge({ enabled, failingSince }: Endpoint): StatusBadgeProps {
  if (!enabled) return { tone: 'bad', label: 'Disabled' };
  return failingSince === null ? { tone: 'good', label: 'Enabled' } : { tone: 'warn', label: 'Failing' };
}

/** What is wrong with an endpoint at a moment (Unix milliseconds) and what to do about it; null: nothing. */
export function endpointTrouble(
  { enabled, disabledReason, failingSince }: Endpoint,
  nowMs: number,
): string | null {
  if (!enabled) {
    const reason = REASONS[disabledReason ?? ''] ?? 'It gets nothing while it is disabled.';
    return `${reason} Enable it again, then recover what it missed.`;
  }
  if (failingSince === null) return null;
  return `Nothing has arrived there since ${formatRelative(failingSince, nowMs)}. Open its deliveries to see the answers; they are tried again by themselves.`;
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  manual: 'You disabled it.',
  gone: 'Disabled because it responded 410 Gone.',
  failing: 'Disabled after days of failed deliveries.',
};
