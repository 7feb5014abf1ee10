import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApiRequest } from 'image-enhancement-client/http/transport.js';
import { requestConsole } from '../client.js';

export interface ConsolePages {
  readonly queryKey: readonly unknown[];
  readonly path: string;
  readonly pageSize: number;
  /** Computes the query for each request, because some filters are relative to the current time. */
  readonly queryOf: () => ApiRequest['query'];
}

/** A list of the console, page by page. While the rows for new filters load, the earlier rows stay visible. */
export function useConsolePages<List extends { readonly nextCursor: string | null }>({
  queryKey,
  path,
  pageSize,
  queryOf,
}: ConsolePages) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      requestConsole<List>(
        { method: 'GET', path, query: { limit: pageSize, cursor: pageParam ?? undefined, ...queryOf() } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (before) => before,
    refetchOnMount: 'always',
    gcTime: 0,
  });
}
