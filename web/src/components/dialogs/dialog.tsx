import { t } from '@lingui/core/macro';
import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useReturnFocus } from '../../lib/focus/use-return-focus.js';
import { OVERLAY_PROPS } from './click-outside.js';
import { DialogHold } from './use-dialog-hold.js';
import { useTopmost } from './use-topmost.js';

export interface DialogProps {
  readonly title: string;
  /** Whether the content cannot be shown again. Then only the dialog's own buttons close it. */
  readonly isPrecious?: boolean;
  /** The width. Default: wide enough for a form. */
  readonly size?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A question or a form in the middle of the page. `useDialogHold` keeps it open during a request. If a step of it
 * disappears with the focus, the next step has it.
 */
export function Dialog({ title, isPrecious = false, size = 'md', onClose, children }: DialogProps) {
  useReturnFocus();
  const isTopmost = useTopmost();
  const [isHeld, setIsHeld] = useState(false);
  const isLocked = isPrecious || isHeld;
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isTopmost || document.activeElement !== document.body) return;
    const field = content.current?.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)');
    (field ?? content.current?.closest<HTMLElement>('[role="dialog"]'))?.focus({ preventScroll: true });
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      overlayProps={OVERLAY_PROPS}
      closeOnClickOutside={!isLocked}
      closeOnEscape={isTopmost && !isLocked}
      closeButtonProps={{ 'aria-label': t`Close`, disabled: isHeld }}
    >
      <div ref={content}>
        <DialogHold value={setIsHeld}>{children}</DialogHold>
      </div>
    </Modal>
  );
}
