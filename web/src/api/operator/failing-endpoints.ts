import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import type { FailingEndpointList, SwitchedEndpoint } from './schema.js';

const PAGE_SIZE = 20;
const KEY = ['operator', 'failing-endpoints'] as const;

/** Endpoints of all accounts whose deliveries fail. @param state empty for all */
export function useFailingEndpoints(state: string) {
  return useInfiniteQuery({
    queryKey: [...KEY, state],
    queryFn: ({ pageParam, signal }) =>
      requestConsole<FailingEndpointList>(
        {
          method: 'GET',
          path: '/failing-endpoints',
          query: { limit: PAGE_SIZE, cursor: pageParam ?? undefined, state: state || undefined },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (before) => before,
    refetchOnMount: 'always',
    gcTime: 0,
  });
}

export function useSwitchEndpoint(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (isEnabled: boolean) =>
      requestConsole<SwitchedEndpoint>({
        method: 'POST',
        path: `/failing-endpoints/${id}/${isEnabled ? 'enable' : 'disable'}`,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
