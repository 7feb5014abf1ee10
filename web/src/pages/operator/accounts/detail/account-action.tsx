import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './account-detail.module.css';

export interface AccountActionProps {
  readonly title: string;
  /** What it does, in one or two sentences. */
  readonly text: string;
  /** The button. */
  readonly children: ReactNode;
}

/** One thing that an operator can do, and what it does. */
export function AccountAction({ title, text, children }: AccountActionProps) {
  return (
    <div className={classes['action']}>
      <div className={classes['actionText']}>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {children}
    </div>
  );
}
