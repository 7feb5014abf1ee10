import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the content of the page when the focused element disappears, such as the button that chose a photo.
 * Otherwise, it would be at the top of the document. For components that render again at that moment.
 */
export function useKeptFocus(): void {
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
  });
}
