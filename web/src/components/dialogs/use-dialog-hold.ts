import { createContext, useContext, useEffect, useLayoutEffect, useState } from 'react';

/** After this time, a dialog can be closed again: nobody waits for a service that hangs, or for a long upload. */
const MAX_MS = 30_000;

/** Holds the surrounding dialog open, or releases it. Without a dialog, it does nothing. */
export const DialogHold = createContext<(isHeld: boolean) => void>(() => undefined);

/**
 * Keeps the surrounding dialog open during a request, for at most half a minute. Closing it would not stop the request,
 * and would discard its response: for example a secret that is shown only once.
 * @returns whether the dialog is held open
 */
export function useDialogHold(isBusy: boolean): boolean {
  const hold = useContext(DialogHold);
  const [isLong, setIsLong] = useState(false);
  const isHeld = isBusy && !isLong;
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setIsLong(true), MAX_MS);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isBusy]);
  useLayoutEffect(() => {
    hold(isHeld);
    return () => hold(false);
  }, [hold, isHeld]);
  return isHeld;
}
