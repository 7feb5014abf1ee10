import { plural, t } from '@lingui/core/macro';
import type { SessionBatch } from '../../api/schema.js';
import type { StatusBadgeProps } from '../../components/status/status-badge.js';
import { formatNumber } from '../../lib/format.js';

type Counts = SessionBatch['counts'];

export const BATCH_BADGES: Readonly<Record<SessionBatch['status'], StatusBadgeProps>> = {
  queued: { tone: 'calm', label: t`Queued` },
  processing: { tone: 'busy', label: t`Processing` },
  completed: { tone: 'good', label: t`Completed` },
  canceled: { tone: 'calm', label: t`Canceled` },
};

/** A completed batch with failures gets a separate badge. */
export function batchBadge({ status, counts }: Pick<SessionBatch, 'status' | 'counts'>): StatusBadgeProps {
  if (status !== 'completed' || counts.failed === 0) return BATCH_BADGES[status];
  if (counts.completed === 0) return { tone: 'bad', label: t`Failed` };
  return { tone: 'bad', label: t`${formatNumber(counts.failed)} failed` };
}

/** `1 photo`, `1,000 photos` */
export function photosText(count: number): string {
  return plural(count, { one: '# photo', other: '# photos' });
}

/** The name of the folder that was added, or else the number of photos. */
export function batchTitle({ metadata, counts }: Pick<SessionBatch, 'metadata' | 'counts'>): string {
  return metadata['folder'] ?? photosText(counts.total);
}

/** `8 completed, 1 failed, 3 to go` */
export function countsText(counts: Counts): string {
  const toGo = counts.queued + counts.processing;
  const parts: (readonly [number, string])[] = [
    [counts.completed, t`${formatNumber(counts.completed)} completed`],
    [counts.failed, t`${formatNumber(counts.failed)} failed`],
    [counts.canceled, t`${formatNumber(counts.canceled)} canceled`],
    [toGo, t`${formatNumber(toGo)} to go`],
  ];
  return parts.flatMap(([count, words]) => (count > 0 ? [words] : [])).join(', ');
}
