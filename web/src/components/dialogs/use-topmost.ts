import { useEffect, useState, useSyncExternalStore } from 'react';

/** The open dialogs, the topmost last. */
let open: readonly symbol[] = [];
const listeners = new Set<() => void>();

function setOpen(dialogs: readonly symbol[]): void {
  open = dialogs;
  listeners.forEach((tell) => tell());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Whether no other dialog was opened above this one. Mantine closes every open dialog at once with Escape, so only the
 * topmost may listen to it.
 */
export function useTopmost(): boolean {
  const [own] = useState(() => Symbol('dialog'));
  useEffect(() => {
    setOpen([...open, own]);
    return () => setOpen(open.filter((dialog) => dialog !== own));
  }, [own]);
  return useSyncExternalStore(subscribe, () => open.at(-1)) === own;
}
