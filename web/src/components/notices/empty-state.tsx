import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

export interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly description: string;
  /** The first step. */
  readonly children?: ReactNode;
}

/** Shown for an empty page or list: the reason, and the first step. */
export function EmptyState({ icon, title, description, children }: EmptyStateProps) {
  return (
    <Paper withBorder className={classes['root']}>
      <Stack align="center" gap="xs">
        <span className={classes['icon']} aria-hidden>
          {icon}
        </span>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" size="sm" ta="center" maw={420}>
          {description}
        </Text>
        {children !== undefined && <div className={classes['actions']}>{children}</div>}
      </Stack>
    </Paper>
  );
}
