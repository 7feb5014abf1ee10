import { t } from '@lingui/core/macro';
import { memo } from 'react';
import type { SessionJob } from '../../api/schema.js';
import { StatusBadge } from '../../components/status/status-badge.js';
import { formatDuration, formatRelative, formatSize } from '../../lib/format.js';
import { stepsAmount, stepsLabel } from '../../lib/steps-text.js';
import classes from './job-row.module.css';
import { JobThumbnail } from './job-thumbnail.js';
import { badgeOf } from '../../components/status/job-badges.js';

export interface JobRowProps {
  readonly job: SessionJob;
  readonly index: number;
  /** Total number of rows; -1 while it is unknown. */
  readonly setSize: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  /** The filters, which are kept while a job is open. */
  readonly search: string;
  readonly nowMs: number;
  /** Whether the picture may wait, because the list scrolls fast. */
  readonly isPassing: boolean;
}

/**
 * A row of the list, with as few elements as possible, because hundreds are mounted and unmounted per second. The list
 * handles clicks.
 */
export const JobRow = memo(function JobRow(props: JobRowProps) {
  const { job, index, setSize, top, search, nowMs, isPassing } = props;
  return (
    <li
      className={classes['item']}
      data-index={index}
      aria-setsize={setSize}
      aria-posinset={index + 1}
      style={{ top }}
    >
      <a href={`/jobs/${job.id}${search}`} className={classes['root']}>
        <JobThumbnail url={job.thumbnailUrl} isPassing={isPassing} />
        <span className={classes['what']}>
          <span className={classes['name']}>{stepsLabel(job.operations)}</span>
          <span className={classes['level']}>{detailsOf(job)}</span>
        </span>
        <StatusBadge {...badgeOf(job)} />
        <span className={classes['size']}>{job.result === undefined ? '' : formatSize(job.result)}</span>
        <span className={classes['took']}>
          {job.timings === null ? '' : formatDuration(job.timings.totalMs)}
        </span>
        <time className={classes['when']} dateTime={job.createdAt}>
          {formatRelative(job.createdAt, nowMs)}
        </time>
      </a>
    </li>
  );
});

/** `Medium · portrait.jpg · in a batch · from the cache` */
function detailsOf({ operations, sourceName, batchId, cached, livemode }: SessionJob): string {
  const details = [
    stepsAmount(operations),
    sourceName,
    batchId === undefined ? null : t`in a batch`,
    cached === true ? t`from the cache` : null,
    livemode ? null : t`test mode`,
  ];
  return details.filter((detail) => detail !== null).join(' · ');
}
