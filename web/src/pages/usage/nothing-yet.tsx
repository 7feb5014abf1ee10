import { Text } from '@mantine/core';
import { CHART_HEIGHT } from './chart-data.js';
import classes from './nothing-yet.module.css';

export interface NothingYetProps {
  readonly text: string;
}

/** A placeholder for a chart, with the same height. */
export function NothingYet({ text }: NothingYetProps) {
  return (
    <div className={classes['root']} style={{ height: CHART_HEIGHT }}>
      <Text c="dimmed" size="sm">
        {text}
      </Text>
    </div>
  );
}
