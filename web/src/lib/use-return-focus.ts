import { useEffect, useState } from 'react';

/**
 * For dialogs that are mounted only while they are open: returns the focus to its earlier position, or to the page if
 * that element no longer exists (a deleted row, an item of a closed menu).
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // After the dialog has released the focus.
      setTimeout(() => {
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        const target = isThere ? before : document.querySelector<HTMLElement>('#main');
        if (document.querySelector('[role="dialog"]') === null) target?.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
