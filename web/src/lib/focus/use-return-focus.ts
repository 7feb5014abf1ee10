import { useEffect, useState } from 'react';

/**
 * For dialogs that are mounted only while they are open: returns the focus to its earlier position, or to the page if
 * that element no longer exists (a deleted row, an item of a closed menu). Below another dialog, such as a side panel,
 * the focus stays within that one.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // After the dialog has released the focus.
      setTimeout(() => {
        // Dialogs are added to the end of the page, so the topmost is the last.
        const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        const around = dialog ?? document.querySelector<HTMLElement>('#main');
        const isReachable = isThere && (dialog === undefined || dialog.contains(before));
        (isReachable ? before : around)?.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
