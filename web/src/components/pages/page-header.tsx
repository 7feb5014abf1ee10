import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './page-header.module.css';

export interface PageHeaderProps {
  readonly title: string;
  readonly description: string;
  /** The page's main action, if it has one. */
  readonly children?: ReactNode;
}

/** The header of every page. Also sets the title of the browser tab. */
export function PageHeader({ title, description, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Image Enhancement`;
  }, [title]);
  return (
    <Group component="header" justify="space-between" align="flex-end" mb="lg" gap="md">
      <div className={classes['text']}>
        <Title order={1} tabIndex={-1} id="page-title">
          {title}
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          {description}
        </Text>
      </div>
      {children}
    </Group>
  );
}
