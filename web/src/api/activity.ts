import { useInfiniteQuery } from '@tanstack/react-query';
import { request } from './client.js';
import type { AuditEventList } from './schema.js';

const PAGE_SIZE = 50;

/** The activity log, newest first. @param group only actions of one kind; empty for all */
export function useActivity(group: string) {
  return useInfiniteQuery({
    queryKey: ['activity', group],
    queryFn: ({ pageParam, signal }) =>
      request<AuditEventList>(
        {
          method: 'GET',
          path: '/audit',
          query: {
            limit: PAGE_SIZE,
            cursor: pageParam ?? undefined,
            group: group === '' ? undefined : group,
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
    gcTime: 0,
  });
}
