import { useCallback, useMemo, useState } from 'react';

/** The selected items among the shown ones, in the order of the list. Items that disappear are deselected. */
export function useSelection<Item extends { readonly id: string }>(items: readonly Item[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(() => items.filter(({ id }) => ids.has(id)), [ids, items]);
  const toggle = useCallback((id: string) => {
    setIds((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  const clear = useCallback(() => setIds(new Set()), []);
  return { selected, isSelected: (id: string) => ids.has(id), toggle, clear };
}
