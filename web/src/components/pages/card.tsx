import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card.module.css';

export interface CardProps {
  /** Unique on the page. The heading labels the section. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences below the heading. */
  readonly hint?: ReactNode;
  /** Links and controls next to the heading. */
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

/** A framed section of a page with its heading. */
export function Card({ id, title, hint, aside, children }: CardProps) {
  return (
    <Paper withBorder component="section" aria-labelledby={id} className={classes['root']}>
      <header className={classes['head']}>
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {hint !== undefined && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </div>
        {aside}
      </header>
      {children}
    </Paper>
  );
}
