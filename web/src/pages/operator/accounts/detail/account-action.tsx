import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './account-detail.module.css';

export interface AccountActionProps {
  readonly title: string;
  /** What the action does, in one or two sentences. */
  readonly text: string;
  /** The button. */
  readonly children: ReactNode;
}

/** One action of an operator, with a description. */
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
