import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

export interface FilterBarProps {
  readonly label: string;
  /** One select, or a search field with up to two selects and a button. */
  readonly layout: 'select' | 'search';
  readonly children: ReactNode;
}

/** The filters above a list. */
export function FilterBar({ label, layout, children }: FilterBarProps) {
  return (
    <search className={classes['root']} data-layout={layout} aria-label={label}>
      {children}
    </search>
  );
}
