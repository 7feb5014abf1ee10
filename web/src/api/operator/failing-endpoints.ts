import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import { useConsolePages } from './console-pages.js';
import type { FailingEndpointList, SwitchedEndpoint } from './schema.js';

const PAGE_SIZE = 20;
const KEY = ['operator', 'failing-endpoints'] as const;

/** Endpoints of all accounts with failing deliveries. @param state empty for all */
export function useFailingEndpoints(state: string) {
  return useConsolePages<FailingEndpointList>({
    queryKey: [...KEY, state],
    path: '/failing-endpoints',
    pageSize: PAGE_SIZE,
    queryOf: () => ({ state: state || undefined }),
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
