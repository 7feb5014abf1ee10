import { memo } from 'react';
import { Link } from 'react-router';
import type { JobItem } from '../../api/jobs.js';
import { StatusBadge } from '../../components/status-badge.js';
import { formatDuration, formatRelative, operationLabel } from '../../lib/format.js';
import classes from './job-row.module.css';
import { JobThumbnail } from './job-thumbnail.js';
import { badgeOf } from './status-badges.js';

export interface JobRowProps {
  readonly job: JobItem;
  /** The filters, kept while a job is open. */
  readonly search: string;
  readonly nowMs: number;
}

/** One line of the list; opens the details. */
export const JobRow = memo(function JobRow({ job, search, nowMs }: JobRowProps) {
  const size = job.result === undefined ? '' : `${job.result.width} × ${job.result.height}`;
  return (
    <Link to={`/jobs/${job.id}${search}`} className={classes['root'] ?? ''} preventScrollReset>
      <JobThumbnail job={job} />
      <span className={classes['what']}>
        <span className={classes['name']}>{operationLabel(job.operation)}</span>
        <span className={classes['level']}>{job.level}</span>
      </span>
      <StatusBadge {...badgeOf(job)} />
      <span className={classes['size']}>{size}</span>
      <span className={classes['took']}>
        {job.timings === null ? '' : formatDuration(job.timings.totalMs)}
      </span>
      <time className={classes['when']} dateTime={job.createdAt}>
        {formatRelative(job.createdAt, nowMs)}
      </time>
    </Link>
  );
});
