import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import menu from '../menu.module.css';
import classes from './menu-select.module.css';

export interface MenuSelectProps {
  readonly icon: TablerIcon;
  readonly label: string;
  readonly value: string | undefined;
  readonly isDisabled?: boolean;
  readonly onChoose: (value: string) => void;
  /** The options. */
  readonly children: ReactNode;
}

/** A select that looks like the other entries of the account menu. */
export function MenuSelect({ icon: Icon, label, value, isDisabled, onChoose, children }: MenuSelectProps) {
  return (
    <label className={menu['entry']}>
      <Icon size={18} stroke={1.7} aria-hidden />
      <select
        className={classes['select']}
        aria-label={label}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {children}
      </select>
    </label>
  );
}
