import { t } from '@lingui/core/macro';
import { ActionIcon, Group, SegmentedControl } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './compare.module.css';
import { MAX_ZOOM, type Zoom } from './view.js';
import { formatPercent } from '../../lib/format.js';

export interface CompareToolbarProps {
  readonly zoom: Zoom;
  /** Screen pixels per image pixel. */
  readonly scale: number;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onStep: (direction: 'in' | 'out') => void;
  readonly children?: ReactNode;
}

/** The zoom controls, and actions for the result. */
export function CompareToolbar(props: CompareToolbarProps) {
  const { zoom, scale, onZoom, onStep, children } = props;
  return (
    <Group justify="space-between" gap="sm" mb="sm">
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t`Zoom`}
          value={zoom === 'fit' ? 'fit' : zoom === 1 ? 'actual' : ''}
          onChange={(value) => onZoom(value === 'fit' ? 'fit' : 1)}
          data={[
            { value: 'fit', label: t`Fit` },
            { value: 'actual', label: formatPercent(1) },
          ]}
        />
        <Group gap={4}>
          <ActionIcon
            variant="default"
            size={28}
            aria-label={t`Zoom out`}
            disabled={zoom === 'fit' && scale <= 1}
            onClick={() => onStep('out')}
          >
            <IconMinus size={14} />
          </ActionIcon>
          <output className={classes['scale']} aria-label={t`Zoom level`}>
            {formatPercent(scale)}
          </output>
          <ActionIcon
            variant="default"
            size={28}
            aria-label={t`Zoom in`}
            disabled={scale >= MAX_ZOOM}
            onClick={() => onStep('in')}
          >
            <IconPlus size={14} />
          </ActionIcon>
        </Group>
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
