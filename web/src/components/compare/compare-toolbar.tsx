import { Group, SegmentedControl, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../../lib/format.js';
import type { Size, Zoom } from './view.js';

export interface CompareToolbarProps {
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  /** Of the result, in pixels. */
  readonly size: Size;
  readonly children?: ReactNode;
}

/** Zoom, the size of the result, and what one can do with it. */
export function CompareToolbar({ zoom, onZoom, size, children }: CompareToolbarProps) {
  return (
    <Group justify="space-between" gap="sm" mb="sm">
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Zoom"
          value={zoom}
          onChange={onZoom}
          data={[
            { value: 'fit', label: 'Fit' },
            { value: 'actual', label: '100 %' },
          ]}
        />
        <Text size="sm" c="dimmed">
          {formatNumber(size.width)} × {formatNumber(size.height)} px
        </Text>
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
