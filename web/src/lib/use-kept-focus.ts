import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the content of the page when the focused element has disappeared, such as the button that chose a
 * photo. Otherwise, it would be at the top of the document.
 * @param change a value that differs after each change which may remove the element
 */
export function useKeptFocus(change: unknown): void {
  const last = useRef<EventTarget | null>(null);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      last.current = target;
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, []);
  useEffect(() => {
    const isGone = last.current instanceof HTMLElement && !last.current.isConnected;
    if (isGone && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [change]);
}
