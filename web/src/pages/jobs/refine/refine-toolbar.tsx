import { t } from '@lingui/core/macro';
import { ActionIcon, Group, SegmentedControl, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './refine.module.css';
import type { Brush } from './strokes.js';
import { formatPercent } from '../../../lib/format.js';

export type Tool = Brush | 'move';

/** Brush size, in thousandths of the longer side of the picture. */
export const BRUSH_SIZES = { min: 4, max: 160, start: 40 } as const;
export const ZOOMS = [1, 1.5, 2, 3, 4, 6, 8] as const;

export interface RefineToolbarProps {
  readonly tool: Tool;
  readonly onTool: (tool: Tool) => void;
  readonly size: number;
  readonly onSize: (size: number) => void;
  readonly zoom: number;
  readonly onZoom: (direction: 1 | -1) => void;
  /** Undefined if there is nothing to undo. */
  readonly onUndo: (() => void) | undefined;
  readonly onRedo: (() => void) | undefined;
}

/** The brushes, and the zoom. */
export function RefineToolbar(props: RefineToolbarProps) {
  const { tool, onTool, size, onSize, zoom, onZoom, onUndo, onRedo } = props;
  return (
    <Group gap="md" className={classes['toolbar']} role="toolbar" aria-label={t`Brushes`}>
      <SegmentedControl
        size="xs"
        aria-label={t`Brush`}
        value={tool}
        onChange={onTool}
        data={[
          { value: 'keep', label: <Label color="keep">{t`Keep`}</Label> },
          { value: 'erase', label: <Label color="erase">{t`Erase`}</Label> },
          { value: 'auto', label: t`Automatic` },
          { value: 'move', label: t`Move` },
        ]}
      />
      <Group gap="xs" wrap="nowrap" className={classes['size']}>
        <Text size="xs" c="dimmed" aria-hidden>
          {t`Size`}
        </Text>
        <input
          type="range"
          aria-label={t`Brush size`}
          className={classes['slider']}
          min={BRUSH_SIZES.min}
          max={BRUSH_SIZES.max}
          value={size}
          onChange={(event) => onSize(event.currentTarget.valueAsNumber)}
        />
      </Group>
      <Group gap={4}>
        <Sign label={t`Undo`} onClick={onUndo}>
          <IconArrowBackUp size={16} />
        </Sign>
        <Sign label={t`Redo`} onClick={onRedo}>
          <IconArrowForwardUp size={16} />
        </Sign>
      </Group>
      <Group gap={4}>
        <Sign label={t`Zoom out`} onClick={zoom > ZOOMS[0] ? () => onZoom(-1) : undefined}>
          <IconMinus size={14} />
        </Sign>
        <output className={classes['zoom']} aria-label={t`Zoom level`}>
          {formatPercent(zoom)}
        </output>
        <Sign label={t`Zoom in`} onClick={zoom < ZOOMS.at(-1)! ? () => onZoom(1) : undefined}>
          <IconPlus size={14} />
        </Sign>
      </Group>
    </Group>
  );
}

function Label({ color, children }: { readonly color: 'keep' | 'erase'; readonly children: string }) {
  return (
    <span className={classes['label']} data-brush={color}>
      {children}
    </span>
  );
}

interface SignProps {
  readonly label: string;
  readonly onClick: (() => void) | undefined;
  readonly children: ReactNode;
}

function Sign({ label, onClick, children }: SignProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        disabled={onClick === undefined}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
