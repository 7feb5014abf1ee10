import { Link } from 'react-router';
import type { SessionBatch } from '../../api/schema.js';
import { StatusBadge } from '../../components/status/status-badge.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { jobLabel } from '../../lib/steps-text.js';
import { BatchProgress } from './batch-progress.js';
import classes from './batch-row.module.css';
import { batchBadge, batchTitle, countsText } from './batch-text.js';

export interface BatchRowProps {
  readonly batch: SessionBatch;
}

/** A row of the list of batches, which opens the batch. */
export function BatchRow({ batch }: BatchRowProps) {
  return (
    <Link to={`/batches/${batch.id}`} className={classes['root'] ?? ''}>
      <span className={classes['what']}>
        <span className={classes['name']}>{batchTitle(batch)}</span>
        <span className={classes['steps']}>{jobLabel(batch.operations)}</span>
      </span>
      <span className={classes['progress']}>
        <BatchProgress batch={batch} />
        <span className={classes['counts']}>{countsText(batch.counts)}</span>
      </span>
      <StatusBadge {...batchBadge(batch)} />
      <span className={classes['when']}>
        <RelativeTime iso={batch.createdAt} />
      </span>
    </Link>
  );
}
