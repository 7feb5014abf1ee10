import { Center, Text } from '@mantine/core';
import { CHART_HEIGHT } from './chart-data.js';

export interface NothingYetProps {
  readonly text: string;
}

/** In the place of a chart, as high as one. */
export function NothingYet({ text }: NothingYetProps) {
  return (
    <Center h={CHART_HEIGHT}>
      <Text c="dimmed" size="sm">
        {text}
      </Text>
    </Center>
  );
}
