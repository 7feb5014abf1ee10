import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../../lib/use-return-focus.js';

export interface DialogProps {
  readonly title: string;
  /** Whether it shows what cannot be shown again: then only its own buttons close it. */
  readonly isPrecious?: boolean;
  /** Its width; as wide as a form needs by default. */
  readonly size?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A question or a form in the middle of the page. */
export function Dialog({ title, isPrecious = false, size = 'md', onClose, children }: DialogProps) {
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={!isPrecious}
      closeOnEscape={!isPrecious}
    >
      {children}
    </Modal>
  );
}
