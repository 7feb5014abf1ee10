import { t } from '@lingui/core/macro';
import type { SessionBatch } from '../../api/schema.js';
import classes from './batch-progress.module.css';
import { countsText } from './batch-text.js';

const PARTS = ['completed', 'failed', 'canceled', 'processing'] as const;

export interface BatchProgressProps {
  readonly batch: Pick<SessionBatch, 'counts' | 'percent'>;
}

/** The progress of a batch, as a bar with a segment for each state. */
export function BatchProgress({ batch: { counts, percent } }: BatchProgressProps) {
  return (
    <div
      className={classes['track']}
      role="progressbar"
      aria-label={t`Progress of the batch`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={countsText(counts)}
    >
      {PARTS.map((part) => (
        <span
          key={part}
          className={classes['part']}
          data-part={part}
          style={{ width: `${(counts[part] / Math.max(1, counts.total)) * 100}%` }}
        />
      ))}
    </div>
  );
}
