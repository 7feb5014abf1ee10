import type { ReactNode } from 'react';
import classes from './plain-list.module.css';

export interface PlainListProps {
  /** Its name for screen readers; not needed below a heading that names it. */
  readonly label?: string;
  /** Rows. */
  readonly children: ReactNode;
}

/** A short list inside a card or a dialog, without its own frame. */
export function PlainList({ label, children }: PlainListProps) {
  return (
    <ul className={classes['list']} aria-label={label}>
      {children}
    </ul>
  );
}

export interface PlainRowProps {
  /** The text of the row. The buttons of the row are in `actions`. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** One row: text, followed by its actions. */
export function PlainRow({ children, actions }: PlainRowProps) {
  return (
    <li className={classes['row']}>
      <div className={classes['text']}>{children}</div>
      {actions}
    </li>
  );
}
