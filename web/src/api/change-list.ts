import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Changes the items of a list that is read as a whole. Dialogs close as soon as their request has succeeded, so the list
 * behind them shows the outcome before it is read again.
 */
export function changeList<Item>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (items: readonly Item[]) => readonly Item[],
): void {
  client.setQueryData<{ readonly data: readonly Item[] }>(
    queryKey,
    (list) => list && { ...list, data: change(list.data) },
  );
}
