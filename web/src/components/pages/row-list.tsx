import type { ReactNode } from 'react';
import classes from './row-list.module.css';

export interface RowListProps {
  /** Its name for screen readers; not needed below a heading. */
  readonly label?: string;
  /** One `li` for each row. */
  readonly children: ReactNode;
}

/** A framed list with a line between its rows. */
export function RowList({ label, children }: RowListProps) {
  return (
    <ul className={classes['list']} aria-label={label}>
      {children}
    </ul>
  );
}
