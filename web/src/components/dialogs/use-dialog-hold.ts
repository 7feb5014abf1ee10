import { createContext, useContext, useLayoutEffect } from 'react';

/** Holds the surrounding dialog open, or releases it. Without a dialog, it does nothing. */
export const DialogHold = createContext<(isHeld: boolean) => void>(() => undefined);

/**
 * Keeps the surrounding dialog open during a request. Closing it would not stop the request, and would discard its
 * response: for example a secret that is shown only once.
 */
export function useDialogHold(isHeld: boolean): void {
  const hold = useContext(DialogHold);
  useLayoutEffect(() => {
    hold(isHeld);
    return () => hold(false);
  }, [hold, isHeld]);
}
