import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../../lib/focus/use-return-focus.js';
import { OVERLAY_PROPS } from './click-outside.js';
import { useTopmost } from './use-topmost.js';

const WIDTH = 620;

export interface SidePanelProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows the details of an item next to its list. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  useReturnFocus();
  const isTopmost = useTopmost();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={WIDTH}
      title={title}
      overlayProps={OVERLAY_PROPS}
      closeOnEscape={isTopmost}
    >
      {children}
    </Drawer>
  );
}
