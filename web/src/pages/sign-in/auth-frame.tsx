import { Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Brand } from '../../app/shell/brand.js';
import { SchemeSwitch } from '../../app/shell/scheme-switch.js';
import classes from './auth-frame.module.css';

export interface AuthFrameProps {
  readonly title: string;
  readonly description: string;
  readonly children: ReactNode;
}

/** The frame of the pages for signed-out users. */
export function AuthFrame({ title, description, children }: AuthFrameProps) {
  useEffect(() => {
    document.title = `${title} · Image Enhancement`;
  }, [title]);
  return (
    <div className={classes['root']}>
      <header className={classes['top']}>
        <Brand />
        <SchemeSwitch />
      </header>
      <main className={classes['main']}>
        <Paper withBorder className={classes['card']}>
          <Title order={1}>{title}</Title>
          <Text size="sm" c="dimmed" mt={4} mb="lg">
            {description}
          </Text>
          {children}
        </Paper>
      </main>
    </div>
  );
}
