import { IconCheck, IconClock, IconLoader2, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

export type Tone = 'good' | 'bad' | 'busy' | 'calm' | 'warn';

const ICONS: Readonly<Record<Tone, ReactNode>> = {
  good: <IconCheck size={13} stroke={2.5} />,
  bad: <IconX size={13} stroke={2.5} />,
  busy: <IconLoader2 size={13} stroke={2.5} className={classes['spin']} />,
  calm: <IconClock size={13} stroke={2.5} />,
  warn: <IconClock size={13} stroke={2.5} />,
};

export interface StatusBadgeProps {
  readonly tone: Tone;
  readonly label: string;
}

/** Shows a state by color, icon, and text, so that no single one is required to understand it. */
export function StatusBadge({ tone, label }: StatusBadgeProps) {
  return (
    <span className={classes['root']} data-tone={tone}>
      <span aria-hidden className={classes['icon']}>
        {ICONS[tone]}
      </span>
      {label}
    </span>
  );
}
