import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
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
  /** Whether to move the focus to the notice, and thus to scroll to it. Not while the user is in a field. */
  readonly takesFocus?: boolean;
  readonly children?: ReactNode;
}

/** An unobtrusive message: the border and the icon are colored, and the text is not. */
export function Notice({ tone, title, icon = ICONS[tone], role, takesFocus = false, children }: NoticeProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    const isInField = document.activeElement?.matches('input, select, textarea') === true;
    if (!isInField) root.current?.focus({ preventScroll: true });
    root.current?.scrollIntoView({ block: 'nearest' });
  }, [takesFocus]);
  return (
    <div
      ref={root}
      className={classes['root']}
      data-tone={tone}
      role={role}
      tabIndex={takesFocus ? -1 : undefined}
    >
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
