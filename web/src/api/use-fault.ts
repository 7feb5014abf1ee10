import { CancelledError, type FetchNextPageOptions, type QueryKey } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

/**
 * Why the last further page of a list could not be loaded. The list itself forgets the error as soon as its newest page
 * is refreshed.
 * @param listKey the list that the error belongs to
 */
export function useFault(listKey: QueryKey, loadMore: (options: FetchNextPageOptions) => Promise<unknown>) {
  const [failed, setFailed] = useState<{ readonly listKey: QueryKey; readonly error: Error } | null>(null);
  const load = useCallback(async () => {
    try {
      await loadMore({ throwOnError: true });
      setFailed(null);
    } catch (error) {
      if (!(error instanceof CancelledError)) setFailed({ listKey, error: error as Error });
    }
  }, [listKey, loadMore]);
  return { fault: failed?.listKey === listKey ? failed.error : null, load };
}
