import { Trans } from '@lingui/react/macro';
import { formatSize } from '../../lib/format.js';
import classes from './compare.module.css';
import type { Size } from './view.js';

export interface CompareFactsProps {
  /** What created the result. */
  readonly label: string | undefined;
  /** Of the result, in pixels. */
  readonly size: Size;
}

/** What a comparison shows, below it. */
export function CompareFacts({ label, size }: CompareFactsProps) {
  return (
    <p className={classes['facts']}>
      {label !== undefined && <b>{label}</b>}
      <span>
        <Trans>{formatSize(size)} px</Trans>
      </span>
    </p>
  );
}
