import { useEffect, useState } from 'react';

/**
 * For dialogs that exist only while they are open: gives the focus back to where it was before, or to the page
 * when that place is gone (a deleted row, an item of a closed menu).
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // After the dialog has let go of the focus.
      setTimeout(() => {
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        const target = isThere ? before : document.querySelector<HTMLElement>('#main');
        if (document.querySelector('[role="dialog"]') === null) target?.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
