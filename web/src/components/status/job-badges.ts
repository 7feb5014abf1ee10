import { t } from '@lingui/core/macro';
import type { Job } from 'image-enhancement-client';
import type { JobStatus } from '../../api/jobs/job.js';
import type { StatusBadgeProps } from './status-badge.js';

export const STATUS_BADGES: Readonly<Record<JobStatus, StatusBadgeProps>> = {
  queued: { tone: 'calm', label: t`Queued` },
  processing: { tone: 'busy', label: t`Processing` },
  completed: { tone: 'good', label: t`Completed` },
  failed: { tone: 'bad', label: t`Failed` },
};

export const CANCELED_BADGE: StatusBadgeProps = { tone: 'calm', label: t`Canceled` };

/** A canceled job has the status `failed` in the API, but is shown as canceled. */
export function badgeOf(job: Pick<Job, 'status' | 'error'>): StatusBadgeProps {
  return job.error?.code === 'canceled' ? CANCELED_BADGE : STATUS_BADGES[job.status];
}
