import type { SessionBatch } from '../../api/schema.js';
import type { StatusBadgeProps } from '../../components/status/status-badge.js';
import { formatNumber } from '../../lib/format.js';

type Counts = SessionBatch['counts'];

export const BATCH_BADGES: Readonly<Record<SessionBatch['status'], StatusBadgeProps>> = {
  queued: { tone: 'calm', label: 'Queued' },
  processing: { tone: 'busy', label: 'Processing' },
  completed: { tone: 'good', label: 'Completed' },
  canceled: { tone: 'calm', label: 'Canceled' },
};

/** A batch that has ended with failures is not simply completed for people. */
export function batchBadge({ status, counts }: Pick<SessionBatch, 'status' | 'counts'>): StatusBadgeProps {
  if (status !== 'completed' || counts.failed === 0) return BATCH_BADGES[status];
  if (counts.completed === 0) return { tone: 'bad', label: 'Failed' };
  return { tone: 'bad', label: `${formatNumber(counts.failed)} failed` };
}

/** `1 photo`, `1,000 photos` */
export function photosText(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'photo' : 'photos'}`;
}

/** The name of the folder that was added, else the number of photos. */
export function batchTitle({ metadata, counts }: Pick<SessionBatch, 'metadata' | 'counts'>): string {
  return metadata['folder'] ?? photosText(counts.total);
}

/** `8 completed, 1 failed, 3 to go` */
export function countsText(counts: Counts): string {
  const toGo = counts.queued + counts.processing;
  const parts: (readonly [number, string])[] = [
    [counts.completed, 'completed'],
    [counts.failed, 'failed'],
    [counts.canceled, 'canceled'],
    [toGo, 'to go'],
  ];
  const shown = parts.filter(([count]) => count > 0);
  return shown.map(([count, words]) => `${formatNumber(count)} ${words}`).join(', ');
}
