import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

export type NoticeTone = 'info' | 'good' | 'warn' | 'bad';

const ICONS: Readonly<Record<NoticeTone, ReactNode>> = {
  info: <IconInfoCircle size={18} stroke={1.8} />,
  good: <IconCheck size={18} stroke={1.8} />,
  warn: <IconAlertTriangle size={18} stroke={1.8} />,
  bad: <IconAlertTriangle size={18} stroke={1.8} />,
};

export interface NoticeProps {
  readonly tone: NoticeTone;
  readonly title?: string;
  readonly icon?: ReactNode;
  /** `alert` for an error that has just occurred, `status` for a success. */
  readonly role?: 'alert' | 'status';
  readonly children?: ReactNode;
}

/** An unobtrusive message: the border and the icon are colored, and the text is not. */
export function Notice({ tone, title, icon = ICONS[tone], role, children }: NoticeProps) {
  return (
    <div className={classes['root']} data-tone={tone} role={role}>
      <span className={classes['icon']} aria-hidden>
        {icon}
      </span>
      <div className={classes['body']}>
        {title !== undefined && <p className={classes['title']}>{title}</p>}
        {children}
      </div>
    </div>
  );
}
